import Platform
import Wire

extension Command {
  static let open = Command(
    "open", .ringing, forms: ["OCCURRENCE"], "opens the screen on one notification",
    about: [
      "Shows its title, its body and what is attached to it. It is what a notification's own action (--action) runs on the desktop, in the terminal that ui.terminal names. “alarm inbox --json” tells the names of the occurrences."
    ],
    examples: [Example("alarm open 3@2026-12-01.1", "what alarm 3 had to say on that day")]
  ) { call throws(Complaint) in
    guard call.words.count == 1, let word = call.words.first?.text else {
      throw .wrongWords("“alarm open” wants one occurrence, as in “alarm open 3@2026-12-01.1”")
    }
    let status = try call.ask("status", as: Status.self)
    let there =
      status.ringing.map(\.occurrence) + status.snoozed.map(\.occurrence) + status.inbox.map(\.occurrence)
    guard there.contains(word) else {
      throw .failed(
        "there is no notification “\(clean(word, atMost: 60))” any more; “alarm inbox” lists those there are")
    }
    return try CommandLineProgram.openScreen(call.outside, on: word)
  }
}
