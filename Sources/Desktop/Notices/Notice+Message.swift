import Platform

// What is sent to the server.
extension Notice {
  /// Servers lay out every byte they are given.
  static let longestTitle = 500
  static let longestBody = 4000

  /// The arguments of `Notify`.
  func arguments(replacing id: UInt32, capabilities: Set<String>) -> [BusValue] {
    [
      .string("Reveille"), .uint32(id), .string("reveille"),
      .string(clean(title, atMost: Notice.longestTitle)),
      .string(text(escaped: capabilities.contains("body-markup"))),
      .strings(capabilities.contains("actions") ? actions : []), .properties(hints),
      // 0: never; −1: as the server likes.
      .int32(isRinging ? 0 : -1),
    ]
  }

  /// Identifier and title in turn.
  private var actions: [String] {
    var result: [String] = []
    func add(_ action: NoticeAction, _ title: String) { result += [action.rawValue, title] }
    if let action {
      let title = clean(action, atMost: 60)
      result += ["default", title]
      add(.open, title)
    }
    if offersSnooze { add(.snooze, "Snooze") }
    if offersDismiss { add(.dismiss, "Dismiss") }
    return result
  }

  private var hints: [(key: String, value: BusValue)] {
    var result: [(key: String, value: BusValue)] = [
      ("urgency", .byte(isRinging ? 2 : 1)), ("category", .string("x-reveille.alarm")),
      ("desktop-entry", .string("reveille")),
    ]
    if isRinging { result.append(("resident", .bool(true))) }
    if let soundName {
      result.append(("sound-name", .string(soundName)))
    } else {
      result.append(("suppress-sound", .bool(true)))
    }
    if !info.isEmpty { result.append(("x-reveille-info", .texts(info.map { ($0.key, $0.value) }))) }
    return result
  }

  private func text(escaped: Bool) -> String {
    var lines = body.split(whereSeparator: \.isNewline).map { clean($0) }
    if showsInfo { lines += info.map { "\(clean($0.key)): \(clean($0.value))" } }
    var text = lines.joined(separator: "\n")
    if text.count > Notice.longestBody { text = text.prefix(Notice.longestBody) + "…" }
    return escaped ? Notice.escaped(text) : text
  }

  /// For a server that reads markup in the body.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      default: result.append(character)
      }
    }
  }
}
