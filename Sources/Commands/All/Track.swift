import Wire

extension Command {
  static let track = Command(
    "track", .player, forms: ["next", "previous"], "goes to the next or previous track of the queue",
    options: [.json],
    examples: [
      Example("alarm track next", "the next one"), Example("alarm track previous", "the one before"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    switch words {
    case ["next"]: return try call.perform("track.next")
    case ["previous"]: return try call.perform("track.previous")
    default:
      let typed = words.isEmpty ? "" : "“\(words.joined(separator: " "))” is neither: "
      throw .wrongWords("\(typed)write “alarm track next” or “alarm track previous”")
    }
  }
}
