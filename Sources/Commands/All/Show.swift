import Wire

extension Command {
  static let show = Command(
    "show", .alarms, forms: ["ID"], "shows everything about an alarm",
    options: [.json],
    examples: [Example("alarm show 3", "its rule, options and next time")]
  ) { call throws(Complaint) in
    let id = try call.onlyIdentifier()
    let alarm = try call.ask("show", ["id": .int(Int64(id))], as: AlarmEntry.self)
    if !call.has("json") { for line in AlarmLines.details(alarm) { call.printLine(line) } }
    return 0
  }
}
