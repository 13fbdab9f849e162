import Wire

extension Model {
  /// A key, by whoever has the keys now: what is typed, then the overlay, then what lies over the page, then the page.
  mutating func press(_ key: Key) -> [Effect] {
    switch typing {
    case .form(let form): return press(key, in: form)
    case .command(let entry): return press(key, in: entry)
    case .search(let search): return press(key, in: search)
    case nil: break
    }
    let action = keys.action(for: key)
    if action == .redraw { return [.redraw] }
    if overlay != nil { return pressInOverlay(key) }
    if question != nil { return answer(key) }
    let leaves = key == .escape || key == .enter || action == .detach
    if openedEntry != nil {
      opened = nil
      return leaves ? [] : press(key)
    }
    if output != nil {
      if scrollOutput(action) { return [] }
      output = nil
      return leaves ? [] : press(key)
    }
    if let action { return perform(action) }
    // Who has read an answer need not wait until it goes.
    if key == .escape { message = nil }
    return []
  }

  /// Text that was pasted: it goes where text goes, and is no key.
  mutating func paste(_ text: String) -> [Effect] {
    switch typing {
    case .form(var form):
      if form.isSent { return [] }
      let before = form.words
      form[form.current].insert(text)
      return edited(form, from: before)
    case .command(var entry):
      entry.field.insert(text)
      typing = .command(entry)
    case .search(var search):
      search.field.insert(text)
      edited(search)
    case nil: break
    }
    return []
  }

  // MARK: - The overlay

  /// Space and Enter are what a hand finds in the dark: they snooze and never dismiss.
  private mutating func pressInOverlay(_ key: Key) -> [Effect] {
    guard !overlayIsDeaf else { return [] }
    if case .character(let digit) = key, let number = digit.wholeNumberValue, digit.isASCII {
      // Three digits are 16 hours; a nought alone is no time.
      if snoozeDigits.count < 3, number > 0 || !snoozeDigits.isEmpty { snoozeDigits.append(digit) }
      snoozeDigitsUntil = snoozeDigits.isEmpty ? nil : now.monotonic + Model.digitTime
      return []
    }
    if key == .enter || key == .character(" ") { return snooze() }
    if key == .escape || key == .backspace {
      (snoozeDigits, snoozeDigitsUntil) = ("", nil)
      return []
    }
    switch keys.action(for: key) {
    case .snooze: return snooze()
    case .dismiss: return ask(.dismiss(shownRing?.id))
    case .detach: return [.quit]
    default: return []
    }
  }

  mutating func snooze() -> [Effect] {
    snoozeDigits.isEmpty ? ask(.snooze(minutes: nil)) : snoozeByDigits()
  }

  mutating func snoozeByDigits() -> [Effect] {
    let minutes = Int(snoozeDigits)
    (snoozeDigits, snoozeDigitsUntil) = ("", nil)
    return minutes.map { ask(.snooze(minutes: $0)) } ?? []
  }

  // MARK: - What lies over the page

  private mutating func answer(_ key: Key) -> [Effect] {
    question = nil
    guard key == .character("y") || key == .character("Y") else {
      say("The engine goes on.")
      return []
    }
    return ask(.stopEngine)
  }

  private mutating func scrollOutput(_ action: Action?) -> Bool {
    guard var output else { return false }
    let rows = max(1, Layout(self).body.rows - 1)
    switch action {
    case .down: output.first += 1
    case .up: output.first -= 1
    case .halfPageDown: output.first += max(1, rows / 2)
    case .halfPageUp: output.first -= max(1, rows / 2)
    case .top: output.first = 0
    case .bottom: output.first = .max
    default: return false
    }
    output.first = max(0, min(output.first, self.rows(of: output).count - rows))
    self.output = output
    return true
  }

  /// What a command printed, cut into rows of the screen.
  func rows(of output: Output) -> [Output.Line] {
    let columns = Layout(self).body.columns
    return output.lines.flatMap { line in
      let rows = folded(line.text, columns, 8, charset)
      return rows.isEmpty ? [line] : rows.map { Output.Line(text: $0, isComplaint: line.isComplaint) }
    }
  }

  mutating func ask(_ request: Request) -> [Effect] {
    guard link == .up else {
      say("The engine is not there, so nothing can be done now.", isError: true)
      return []
    }
    return [.request(request)]
  }
}
