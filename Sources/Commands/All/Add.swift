import Platform
import Wire

extension Command {
  static let add = Command(
    "add", .alarms, forms: ["WHEN [options]"], "adds an alarm",
    about: [
      "Prints its number, what was understood, and when it rings next. “alarm help when” shows every form of WHEN; “alarm when WHEN” tries one without adding anything.",
      "SPAN is written as 90s, 10m, 1h30 or “half an hour”.",
    ],
    options: AlarmOptions.all + [.json],
    examples: [
      Example("alarm add 07:00", "the next time it is seven, once"),
      Example("alarm add mon-fri 07:00 --label Up --sound ~/Music/x.flac", "every working day"),
      Example("alarm add 1st mon 18:30 --label \"Bins out\" --info room=kitchen", "once a month"),
      Example("alarm add +25m --label Tea", "25 minutes from now"),
      Example(
        "alarm add daily 22:00 --zone Europe/Berlin --until 2027-01-31", "for a while, by another clock"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard !words.isEmpty else {
      throw .wrongWords(
        "say when: “alarm add 07:00”, “alarm add mon-fri 07:00” or “alarm add +25m”; “alarm help when” shows every form"
      )
    }
    try call.requireQuoted(words)
    var params = try AlarmOptions.params(call, editing: false)
    params["when"] = .string(words.joined(separator: " "))
    return try call.change("add", params)
  }
}

extension Call {
  /// Asks for a change of alarms, prints them as they are now, and what to beware of.
  func change(_ method: String, _ params: [String: JSON] = [:]) throws(Complaint) -> Int32 {
    let reply = try ask(method, params, as: AlarmReply.self)
    warn(reply.warnings)
    guard !has("json") else { return 0 }
    if let done = reply.done { printLine(clean(done)) }
    for alarm in reply.alarms { printLine(AlarmLines.line(alarm)) }
    return 0
  }
}
