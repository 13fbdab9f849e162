/// A key as a person knows it.
public enum Key: Hashable, Sendable {
  case character(Character)
  /// With Ctrl held, the letter in lower case.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case left, right, up, down, home, end, pageUp, pageDown
  /// With Shift held.
  case shiftLeft, shiftRight
  case media(MediaKey)
}

/// A key for music, where the terminal sends it (kitty's keyboard protocol).
public enum MediaKey: String, Hashable, Sendable, CaseIterable {
  case play, pause, playPause = "play-pause", stop, next, previous
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case mute
}

extension Key {
  private static let named: [(String, Key)] = [
    ("space", .character(" ")), ("enter", .enter), ("escape", .escape), ("tab", .tab),
    ("shift-tab", .backTab),
    ("backspace", .backspace), ("delete", .delete), ("left", .left), ("right", .right), ("up", .up),
    ("down", .down), ("home", .home), ("end", .end), ("page-up", .pageUp), ("page-down", .pageDown),
    ("shift-left", .shiftLeft), ("shift-right", .shiftRight),
  ]

  /// As the settings and the help write it: `p`, `space`, `ctrl-d`, `shift-left`, `media-next`.
  public var name: String {
    if let name = Key.named.first(where: { $0.1 == self })?.0 { return name }
    return switch self {
    case .character(let character): String(character)
    case .control(let letter): "ctrl-\(letter)"
    case .media(let key): "media-\(key.rawValue)"
    default: "?"
    }
  }

  /// Reads what `name` writes; the names of keys in any case. nil where it is no key.
  public init?(name: String) {
    let folded = name.lowercased()
    if let key = Key.named.first(where: { $0.0 == folded })?.1 {
      self = key
    } else if name.count == 1, let character = name.first,
      character.unicodeScalars.allSatisfy({ $0.value > 0x20 })
    {
      self = .character(character)
    } else if folded.hasPrefix("ctrl-"), folded.count == 6, let letter = folded.last,
      ("a"..."z").contains(letter)
    {
      self = .control(letter)
    } else if folded.hasPrefix("media-"), let key = MediaKey(rawValue: String(folded.dropFirst(6))) {
      self = .media(key)
    } else {
      return nil
    }
  }
}
