import Schedule
import Wire

extension Command {
  static let timer = Command(
    "timer", .alarms, forms: ["SPAN [LABEL]"], "sets a timer",
    about: [
      "It counts real time, even while the machine sleeps, whatever is done to the clock. The words behind the span are its label."
    ],
    options: [.json],
    examples: [
      Example("alarm timer 25m", "25 minutes"), Example("alarm timer 4 min 30 s Green tea", "with a label"),
      Example("alarm timer half an hour", "in words"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard let count = Span.longestPrefix(of: words)?.used else {
      let way = "“alarm timer 25m”, or with a label “alarm timer 4 min Tea”"
      guard let first = words.first else { throw .wrongWords("say how long: \(way)") }
      // A span that cannot be one says why itself.
      if first.utf8.contains(where: { (48...57).contains($0) }) {
        do { _ = try Span.parse(first) } catch { throw .wrongWords("\(error), as in \(way)") }
      }
      throw .wrongWords("“\(words.joined(separator: " "))” does not begin with a span of time: \(way)")
    }
    // A sign before the span is how `add` writes it, and means nothing else here.
    let span = words[..<count].joined(separator: " ")
    var params: [String: JSON] = ["span": .string(span.first == "+" ? String(span.dropFirst()) : span)]
    let label = words[count...].joined(separator: " ")
    if !label.isEmpty { params["label"] = .string(label) }
    return try call.change("timer", params)
  }
}
