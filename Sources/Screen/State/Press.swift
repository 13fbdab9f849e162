import Wire

extension Model {
  /// A key, by whoever has the keys now: the prompt, then the overlay, then the help, then the screen.
  mutating func press(_ key: Key) -> [Effect] {
    if prompt != nil { return pressInPrompt(key) }
    if key == .control("l") { return [.redraw] }
    if overlay != nil { return pressInOverlay(key) }
    if openedEntry != nil {
      opened = nil
      return key == .character("q") || key == .escape || key == .enter ? [] : press(key)
    }
    if showsHelp {
      showsHelp = false
      return key == .character("q") || key == .escape || key == .character("?") ? [] : press(key)
    }
    guard let action = keys.action(for: key) else { return [] }
    return perform(action)
  }

  private mutating func perform(_ action: Action) -> [Effect] {
    switch action {
    case .playPause: return ask(.toggle)
    case .snooze: return ask(.snooze)
    case .dismiss: return ask(.dismiss(shownRing?.id))
    case .add: prompt = Prompt()
    case .down: scroll = min(scroll + 1, max(0, alarms.count - 1))
    case .up: scroll = max(0, scroll - 1)
    case .startEngine: return startEngine()
    case .redraw: return [.redraw]
    case .detach: return [.quit]
    case .help: showsHelp = true
    default: break
    }
    return []
  }

  /// Space and Enter are what a hand finds in the dark: they snooze and never dismiss.
  private mutating func pressInOverlay(_ key: Key) -> [Effect] {
    guard !overlayIsDeaf else { return [] }
    switch key {
    case .character("s"), .character(" "), .enter: return ask(.snooze)
    case .character("d"): return ask(.dismiss(shownRing?.id))
    case .character("q"): return [.quit]
    default: return []
    }
  }

  private mutating func pressInPrompt(_ key: Key) -> [Effect] {
    guard var prompt else { return [] }
    if key == .escape || key == .control("g") {
      self.prompt = nil
      return []
    }
    // What was sent is not changed under the engine's answer.
    if prompt.isSent { return [] }
    if key == .enter {
      let words = trimmed(prompt.field.text)
      guard !words.isEmpty else {
        self.prompt = nil
        return []
      }
      guard link == .up else {
        self.prompt?.refusal = "The engine is not there, so nothing can be added now."
        return []
      }
      self.prompt?.isSent = true
      return [.request(.add(words))]
    }
    let before = prompt.field.text
    guard prompt.field.handle(key) else { return [] }
    return edited(prompt, from: before)
  }

  mutating func paste(_ text: String) -> [Effect] {
    guard var prompt, !prompt.isSent else { return [] }
    let before = prompt.field.text
    prompt.field.insert(text)
    return edited(prompt, from: before)
  }

  private mutating func edited(_ prompt: Prompt, from before: String) -> [Effect] {
    self.prompt = prompt
    let text = prompt.field.text
    guard text != before else { return [] }
    self.prompt?.refusal = nil
    // The old preview belongs to other words.
    self.prompt?.preview = nil
    return trimmed(text).isEmpty ? [] : [.preview(text)]
  }

  private mutating func ask(_ request: Request) -> [Effect] {
    guard link == .up else {
      say("The engine is not there, so nothing can be done now.", isError: true)
      return []
    }
    return [.request(request)]
  }

  private mutating func startEngine() -> [Effect] {
    switch link {
    case .down, .lost: break
    case .connecting, .up: return []
    }
    link = .connecting
    return [.connect(mayStart: true)]
  }

  private func trimmed(_ text: String) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}
