extension Command {
  static let undo = Command(
    "undo", .alarms, "takes back what was done last to alarms",
    about: [
      "It brings back what was removed or edited, switches on what was switched off and the other way round, rings at what was to be skipped, and takes an import back: one deed each time, up to sixteen since the engine was started. What rang meanwhile has rung."
    ],
    options: [.json], examples: [Example("alarm undo", "takes back “alarm remove 3”")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    return try call.change("undo")
  }
}
