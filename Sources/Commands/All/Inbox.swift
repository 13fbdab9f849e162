import Platform
import Schedule
import Wire

extension Command {
  static let inbox = Command(
    "inbox", .ringing, forms: ["[--clear]"], "lists the notifications that nobody has dealt with",
    about: [
      "What rings, is snoozed, or was missed, the newest first, with what is attached to it. Looking at it on a terminal sets the badge to 0; reading it as JSON or through a pipe does not.",
      "With --clear what was missed is taken out, and listed one last time. What rings or is snoozed stays.",
    ],
    options: [Option("clear", "takes out what was missed"), .json],
    examples: [
      Example("alarm inbox", "what there is"), Example("alarm inbox --clear", "and away with it"),
      Example("alarm inbox --json", "the same for a script"),
    ]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    var params: [String: JSON] = [:]
    if call.has("clear") { params["clear"] = true }
    // Only a person sees it.
    if call.outside.outputIsTerminal, !call.has("json") { params["seen"] = true }
    let entries = try call.ask("inbox", params, as: [Status.InboxEntry].self)
    guard !call.has("json") else { return 0 }
    for entry in entries { call.printLines(InboxLines.lines(entry, at: call.outside.now())) }
    if entries.isEmpty {
      call.tellEmpty(call.has("clear") ? "nothing to take out" : "nothing is waiting for you")
    }
    return 0
  }

  static let badge = Command(
    "badge", .ringing, "prints how many notifications have not been dealt with",
    about: [
      "Each alarm that rings or is missed adds 1, or sets the number where it has one of its own (--badge); dealing with one takes 1 away, and looking at “alarm inbox” sets it to 0."
    ],
    options: [.json], examples: [Example("alarm badge", "a number, for a status bar")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    let reply = try call.ask("badge", as: BadgeReply.self)
    if !call.has("json") { call.printLine("\(reply.badge)") }
    return 0
  }

  static let log = Command(
    "log", .ringing, forms: ["[ID]"], "tells why it rang, rang late or did not",
    about: [
      "What became of each time an alarm was due and what happened when, the newest first. It is kept for 90 days, also of alarms that were removed."
    ],
    options: [.json],
    examples: [Example("alarm log", "all alarms"), Example("alarm log 3", "only that one")]
  ) { call throws(Complaint) in
    let params: [String: JSON] = call.words.isEmpty ? [:] : ["id": .int(Int64(try call.onlyIdentifier()))]
    let entries = try call.ask("log", params, as: [LogEntry].self)
    guard !call.has("json") else { return 0 }
    for entry in entries { call.printLines(InboxLines.story(entry, at: call.outside.now())) }
    if entries.isEmpty {
      call.tellEmpty(
        try call.texts().first.map { "nothing is known of alarm \($0)" } ?? "no alarm has been due yet")
    }
    return 0
  }
}
