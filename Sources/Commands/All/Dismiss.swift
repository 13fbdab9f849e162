import Wire

extension Command {
  static let dismiss = Command(
    "dismiss", .ringing, forms: ["[ID]"], "ends an alarm that rings or is snoozed",
    about: [
      "Without ID the one that sounds; the others are named. A repeating alarm rings again at its next time."
    ],
    options: [.json],
    examples: [
      Example("alarm dismiss", "what sounds"), Example("alarm dismiss 3", "that one, snoozed or ringing"),
    ]
  ) { call throws(Complaint) in
    try call.perform("dismiss", call.words.isEmpty ? [:] : ["id": .int(Int64(call.onlyIdentifier()))])
  }

  static let stop = Command(
    "stop", .ringing, "silences whatever sounds",
    about: ["Dismisses all alarms that ring; where none does, stops the music."],
    options: [.json], examples: [Example("alarm stop", "silence")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    return try call.perform("stop")
  }
}
