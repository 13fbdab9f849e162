import Wire

// The engine coming and going.
extension Model {
  mutating func connected() -> [Effect] {
    if link != .connecting { say("The engine is there again.") }
    link = .up
    levelsAsked = .never
    // The terminal told of its focus before there was anybody to tell.
    return [.request(.subscribe)] + (hasFocus.map { [.request(.focus($0))] } ?? [])
  }

  /// The engine's own parent starts it again at a growing pause, so it is looked for a while before giving up.
  mutating func disconnected(_ reason: String?) -> [Effect] {
    // What the line says was true of the engine that has gone.
    message = nil
    status?.ringing = []
    status?.player.state = "stopped"
    status?.player.track = nil
    queue.forget()
    isAsked.subtract([.inbox, .log])
    isStale.formUnion([.inbox, .log])
    if question == .stopEngine { question = nil }
    if var form, form.isSent {
      form.isSent = false
      form.refuse("The engine went before it answered: look whether the alarm is in the list.")
      typing = .form(form)
    }
    let pause: Int64 = 250_000
    link = .lost(until: now.monotonic + Model.patience, pause: pause, next: now.monotonic + pause)
    return []
  }

  static let patience: Int64 = 15_000_000
  /// How often an engine that somebody else may have started is looked for.
  static let lookAgain: Int64 = 5_000_000

  mutating func connectFailed(_ sentence: String) -> [Effect] {
    if case .lost(let until, let pause, _) = link, now.monotonic + pause <= until {
      let longer = min(pause * 2, 2_000_000)
      link = .lost(until: until, pause: longer, next: now.monotonic + pause)
    } else if link != .up {
      link = .down(sentence, next: now.monotonic + Model.lookAgain)
    }
    return []
  }

  mutating func startEngine() -> [Effect] {
    switch link {
    case .down, .lost: break
    case .connecting, .up: return []
    }
    link = .connecting
    return [.connect(mayStart: true)]
  }
}
