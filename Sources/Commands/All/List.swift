import Wire

extension Command {
  static let list = Command(
    "list", .alarms, "lists the alarms",
    about: [
      "A line an alarm: its number, whether it is on, its rule, when it rings next and how long until then, its label and its sound. On a terminal long texts are cut to fit."
    ],
    options: [.json],
    examples: [
      Example("alarm list", "all alarms"), Example("alarm list --json", "the same for a script"),
    ]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    let alarms = try call.ask("list", as: [AlarmEntry].self)
    guard !call.has("json") else { return 0 }
    if alarms.isEmpty {
      // None where the database cannot be read is not the same as none.
      let troubles = try call.ask("status", as: Status.self).engine.storeErrors
      call.warn(troubles.isEmpty ? ["there are no alarms; add one with “alarm add mon-fri 07:00”"] : troubles)
    }
    let columns = call.outside.outputIsTerminal ? call.outside.columns() : nil
    for line in AlarmLines.table(alarms, columns: columns, style: call.style) { call.printLine(line) }
    return 0
  }
}
