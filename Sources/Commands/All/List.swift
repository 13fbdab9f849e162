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
    let alarms = try call.listAlarms()
    guard !call.has("json") else { return 0 }
    if alarms.isEmpty {
      // None where the database cannot be read is not the same as none.
      let troubles = try call.ask("status", as: Status.self).engine.storeErrors
      call.warn(troubles.isEmpty ? ["there are no alarms; add one with “alarm add mon-fri 07:00”"] : troubles)
    }
    let columns = call.outside.tableColumns
    for line in AlarmLines.table(alarms, columns: columns, style: call.style) { call.printLine(line) }
    return 0
  }
}

extension Call {
  /// All alarms, asked for by and by, so that the engine has time for others between; with `--json` they are printed.
  fileprivate func listAlarms() throws(Complaint) -> [AlarmEntry] {
    let link = try engine()
    var alarms: [AlarmEntry] = []
    var whole: [JSON] = []
    do throws(WireError) {
      while true {
        let after = alarms.last?.id ?? 0
        let params = JSON.object(["after": .int(Int64(after))])
        let page: [AlarmEntry]
        if has("json") {
          let answer = try link.ask("list", params, as: Answer<[AlarmEntry]>.self)
          if case .array(let list) = answer.json { whole += list }
          page = answer.reply
        } else {
          page = try link.ask("list", params, as: [AlarmEntry].self)
        }
        alarms += page
        // An engine of before knows no pages: it answers all at once.
        if page.count != Methods.listPage { break }
      }
    } catch {
      throw Complaint(error)
    }
    if has("json") { printLine(JSONText.pretty(.array(whole))) }
    return alarms
  }
}
