import Wire

extension Command {
  static let snooze = Command(
    "snooze", .ringing, forms: ["[ID] [SPAN]"], "lets an alarm that rings be quiet for a while",
    about: [
      "Without ID all that ring, without SPAN as long as the alarm says. A bare number is an alarm's number, so minutes need their unit: 5m."
    ],
    options: [.json],
    examples: [
      Example("alarm snooze", "all that ring"), Example("alarm snooze 20m", "all that ring, for longer"),
      Example("alarm snooze 3 5m", "only that one"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    var params: [String: JSON] = [:]
    var span = words
    if words.count < 2 || Spans.read(words.joined(separator: " ")) == nil, let first = words.first,
      Call.number(first) != nil
    {
      params["id"] = .int(Int64(try call.identifier(first)))
      span.removeFirst()
    }
    if words.count > 1, let last = words.last, Call.number(last) != nil, let unit = words.dropLast().last,
      Spans.read(words.dropLast().joined(separator: " ")) != nil,
      !["h", "hour", "hours"].contains(where: unit.hasSuffix)
    {
      let span = words.dropLast().joined(separator: " ")
      throw .wrongWords(
        "the number of the alarm stands before the span: “alarm snooze \(last) \(span)”; minutes are written \(last)m"
      )
    }
    if !span.isEmpty { params["span"] = .string(try Spans.check(span, "alarm snooze 5m")) }
    return try call.perform("snooze", params)
  }
}
