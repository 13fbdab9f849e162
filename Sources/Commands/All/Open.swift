import Core
import Platform
import Wire

extension Command {
  static let open = Command(
    "open", .ringing, forms: ["ID|OCCURRENCE"], "opens the screen on one notification",
    about: [
      "Shows its title, its body and what is attached to it. It is what a notification's own action (--action) runs on the desktop, in the terminal that ui.terminal names. An alarm's number stands for what rings of it, else is snoozed, else waits in “alarm inbox”, the newest; “alarm inbox --json” tells the names of the occurrences."
    ],
    examples: [
      Example("alarm open 3", "what alarm 3 has to say"),
      Example("alarm open 3@2026-12-01.1", "what it had to say on that day"),
    ]
  ) { call throws(Complaint) in
    guard call.words.count == 1, let word = call.words.first?.text else {
      throw .wrongWords(
        "“alarm open” wants an alarm's number or one occurrence, as in “alarm open 3” or “alarm open 3@2026-12-01.1”"
      )
    }
    guard Call.number(word) != nil || OccurrenceID(word) != nil else {
      throw .wrongWords(
        "“\(word)” is neither an alarm's number nor an occurrence; “alarm inbox” lists them, as in “alarm open 3”"
      )
    }
    let status = try call.ask("status", as: Status.self)
    let there =
      status.ringing.map { ($0.id, $0.occurrence) } + status.snoozed.map { ($0.id, $0.occurrence) }
      + status.inbox.map { ($0.id, $0.occurrence) }
    let id = Call.number(word)
    guard let found = there.first(where: { $0.1 == word || $0.0 == id })?.1 else {
      // Of an alarm that there is not the engine says so.
      if let id { _ = try call.ask("show", ["id": .int(Int64(id))], as: AlarmEntry.self) }
      throw .failed(
        id.map { "alarm \($0) has no notification; “alarm inbox” lists those there are" }
          ?? "there is no notification “\(clean(word, atMost: 60))” any more; “alarm inbox” lists those there are"
      )
    }
    return try CommandLineProgram.openScreen(call.outside, on: found)
  }
}
