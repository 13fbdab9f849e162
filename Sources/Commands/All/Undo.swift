extension Command {
  static let undo = Command(
    "undo", .alarms, "brings back what was last removed or edited",
    options: [.json], examples: [Example("alarm undo", "takes back “alarm remove 3”")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    return try call.change("undo")
  }
}
