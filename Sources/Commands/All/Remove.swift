import Platform
import Wire

extension Command {
  static let remove = Command(
    "remove", .alarms, forms: ["ID…", "--spent"], "removes alarms",
    about: ["“alarm undo” brings back what was last removed. A number is never used again."],
    options: [Option("spent", "removes every alarm that will not ring again"), .json],
    examples: [
      Example("alarm remove 3 5", "these two"),
      Example("alarm remove --spent", "those that have rung for the last time"),
    ]
  ) { call throws(Complaint) in
    let spent = call.has("spent")
    if spent, !call.words.isEmpty {
      throw .wrongWords("give numbers or --spent, not both: “alarm remove 3”, or “alarm remove --spent”")
    }
    let params: [String: JSON] = spent ? ["spent": true] : ["ids": try call.identifierList()]
    let reply = try call.ask("remove", params, as: AlarmReply.self)
    call.warn(reply.warnings)
    guard !call.has("json") else { return 0 }
    for alarm in reply.alarms {
      let label = alarm.label.isEmpty ? "" : "  \(clean(alarm.label))"
      call.printLine("removed \(alarm.id)  \(AlarmLines.rule(alarm))\(label)")
    }
    if reply.alarms.isEmpty { call.printLine(clean(reply.done ?? "nothing to remove")) }
    return 0
  }
}
