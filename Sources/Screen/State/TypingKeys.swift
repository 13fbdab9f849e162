import Wire

// What keys do where text is typed.
extension Model {
  private func isLeaving(_ key: Key) -> Bool { key == .escape || key == .control("g") }

  // MARK: - The form

  mutating func press(_ key: Key, in form: Form) -> [Effect] {
    var form = form
    if isLeaving(key) {
      typing = nil
      return []
    }
    // What was sent is not changed under the engine's answer.
    if form.isSent { return [] }
    let before = form.words
    switch key {
    case .enter: return send(form)
    case .tab, .down: form.move(by: 1)
    case .backTab, .up: form.move(by: -1)
    case .control("n") where form.current == .sound: form.offerSound(places.soundNames, by: 1)
    case .control("p") where form.current == .sound: form.offerSound(places.soundNames, by: -1)
    default:
      guard form[form.current].handle(key) else { return [] }
    }
    return edited(form, from: before)
  }

  private mutating func send(_ form: Form) -> [Effect] {
    var form = form
    // It never leaves by itself: what is typed next would be keys of the page.
    guard !form.words.isEmpty else {
      form.refuse("When is it to ring? Write 07:00, mon-fri 7am or +25m; Esc leaves.", about: .when)
      typing = .form(form)
      return []
    }
    guard let params = form.params(places) else {
      typing = nil
      say("Nothing was changed.")
      return []
    }
    guard link == .up else {
      form.refuse("The engine is not there, so nothing can be saved now.")
      typing = .form(form)
      return []
    }
    form.isSent = true
    typing = .form(form)
    return [.request(form.editing == nil ? .add(params) : .edit(params))]
  }

  mutating func edited(_ form: Form, from before: String) -> [Effect] {
    var form = form
    defer { typing = .form(form) }
    if let old = self.form {
      form.forgetRefusal(changed: Form.Field.allCases.filter { old[$0].text != form[$0].text })
    }
    return form.words == before ? [] : preview(&form)
  }

  /// Asks what the words mean. Those of an alarm as it is mean what it does: what runs since it was set does not begin anew
  /// by being looked at, and a time that is skipped is left out.
  private func preview(_ form: inout Form) -> [Effect] {
    // The old preview belongs to other words.
    form.preview = nil
    if form.words.isEmpty { return [] }
    if !form.hasNewWords, let alarm = form.editing {
      form.preview = alarm.next.map { .rings($0, warnings: []) } ?? .rests
      return []
    }
    return [.preview(form.words, changing: form.editing?.when)]
  }

  /// A preview names how long until then, and a span counts from now.
  mutating func previewAgain() -> [Effect] {
    guard let form, form.hasNewWords, !form.words.isEmpty else { return [] }
    return [.preview(form.words, changing: form.editing?.when)]
  }

  mutating func openForm(editing alarm: AlarmEntry? = nil) -> [Effect] {
    var form = Form(editing: alarm)
    defer { typing = .form(form) }
    return preview(&form)
  }

  // MARK: - The command line

  private static let longestHistory = 100

  mutating func press(_ key: Key, in entry: CommandEntry) -> [Effect] {
    var entry = entry
    if isLeaving(key) {
      typing = nil
      return []
    }
    switch key {
    case .enter:
      let words = Form.trimmed(entry.field.text)
      guard running == nil else {
        say("“\(running ?? "")” is still being run.", isError: true)
        return []
      }
      typing = nil
      guard !words.isEmpty else { return [] }
      if history.last != words { history = (history + [words]).suffix(Model.longestHistory) }
      if ["q", "q!", "quit", "exit"].contains(words) {
        say("“:” takes the shell's words: \(keys.names(for: .detach)) leaves the screen.")
        return []
      }
      running = words
      return [.run(words, columns: Layout.answerArea(size).columns)]
    case .up, .down:
      let back = max(0, min(history.count, entry.back + (key == .up ? 1 : -1)))
      if entry.back == 0 { entry.draft = entry.field.text }
      entry.back = back
      entry.field = TextField(back == 0 ? entry.draft : history[history.count - back])
    case .backspace where entry.field.characters.isEmpty:
      typing = nil
      return []
    default:
      guard entry.field.handle(key) else { return [] }
    }
    typing = .command(entry)
    return []
  }

  // MARK: - Searching

  mutating func press(_ key: Key, in search: Search) -> [Effect] {
    var search = search
    if isLeaving(key) {
      typing = nil
      select(search.origin)
      return []
    }
    switch key {
    case .enter:
      typing = nil
      guard !search.field.text.isEmpty else { return [] }
      sought = search.field.text
      if line(holding: sought, from: search.origin, by: 1) == nil { sayNotFound() }
      return []
    case .backspace where search.field.characters.isEmpty:
      typing = nil
      select(search.origin)
      return []
    default:
      guard search.field.handle(key) else { return [] }
    }
    edited(search)
    return []
  }

  mutating func edited(_ search: Search) {
    typing = .search(search)
    select(line(holding: search.field.text, from: search.origin, by: 1) ?? search.origin)
  }

  mutating func searchAgain(by step: Int) {
    guard !sought.isEmpty else {
      return say("Nothing has been searched yet: \(keys.names(for: .search)) does.")
    }
    guard let line = line(holding: sought, from: place.selected + step, by: step) else {
      return sayNotFound()
    }
    select(line)
  }

  private mutating func sayNotFound() { say("“\(sought)” is in no line here.", isError: true) }
}
