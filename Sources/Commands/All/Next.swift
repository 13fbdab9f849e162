import Wire

extension Command {
  static let next = Command(
    "next", .alarms, forms: ["[N]"], "shows what rings next",
    about: [
      "The next N occurrences of all alarms, a line each; one where N is left out. What is snoozed rings besides: “alarm status” shows it."
    ],
    options: [.json],
    examples: [Example("alarm next", "the next one"), Example("alarm next 5", "the next five")]
  ) { call throws(Complaint) in
    let words = try call.texts()
    var params: [String: JSON] = [:]
    if let first = words.first {
      guard words.count == 1, let count = Call.number(first), (1...1000).contains(count) else {
        throw .wrongWords(
          "“\(words.joined(separator: " "))” is no number of occurrences; give one from 1 to 1000: “alarm next 5”"
        )
      }
      params["count"] = .int(Int64(count))
    }
    let coming = try call.ask("next", params, as: [NextEntry].self)
    guard !call.has("json") else { return 0 }
    if coming.isEmpty {
      call.warn(["no alarm is due; add one with “alarm add mon-fri 07:00”, or switch one on: “alarm list”"])
    }
    for entry in coming { call.printLine(AlarmLines.line(entry)) }
    return 0
  }
}
