/// A row of the table of keys.
public struct KeyBinding: Hashable, Sendable {
  public let action: Action
  public var keys: [Key]

  public init(_ action: Action, _ keys: [Key]) { (self.action, self.keys) = (action, keys) }
}

/// Which key does what: what is looked up at a key press, the hints at the bottom and the help are made from it.
///
/// Each action has one row, in the order in which the help lists them; a row may have no key.
public struct KeyTable: Hashable, Sendable {
  public private(set) var bindings: [KeyBinding]
  private let actions: [Key: Action]
  /// What the names of keys may be made of.
  var charset = Charset.unicode

  /// Where two rows have the same key, the first one has it.
  public init(_ bindings: [KeyBinding]) {
    self.bindings = bindings
    actions = Dictionary(
      bindings.flatMap { row in row.keys.map { ($0, row.action) } }, uniquingKeysWith: { first, _ in first })
  }

  public func action(for key: Key) -> Action? { actions[key] }

  public func keys(for action: Action) -> [Key] { bindings.first { $0.action == action }?.keys ?? [] }

  /// The keys of an action as they are shown: `space, p`; empty where it has none. Keys for music are named where there
  /// are no others.
  public func names(for action: Action) -> String {
    let all = keys(for: action)
    let typed = all.filter { if case .media = $0 { false } else { true } }
    return (typed.isEmpty ? all : typed).map { $0.shown(in: charset) }.joined(separator: ", ")
  }

  /// The first of them, for a hint.
  func name(for action: Action) -> String? { keys(for: action).first?.shown(in: charset) }

  /// The keys as the field has them.
  public static let standard = KeyTable([
    KeyBinding(.playPause, [" ", "p", .media(.play), .media(.playPause)]),
    KeyBinding(.next, [">", .media(.next)]),
    KeyBinding(.previous, ["<", .media(.previous)]),
    KeyBinding(.seekBack, [.left]),
    KeyBinding(.seekForward, [.right]),
    KeyBinding(.seekBackMinute, [.shiftLeft]),
    KeyBinding(.seekForwardMinute, [.shiftRight]),
    KeyBinding(.volumeUp, ["+", "=", .media(.volumeUp)]),
    KeyBinding(.volumeDown, ["-", .media(.volumeDown)]),
    KeyBinding(.mute, ["m", .media(.mute)]),
    KeyBinding(.pause, [.media(.pause)]),
    KeyBinding(.stop, ["S", .media(.stop)]),
    KeyBinding(.repeats, ["r"]),
    KeyBinding(.shuffle, ["z"]),
    KeyBinding(.meter, ["v"]),
    KeyBinding(.snooze, ["s"]),
    KeyBinding(.dismiss, ["d"]),
    KeyBinding(.add, ["a"]),
    KeyBinding(.edit, ["e"]),
    KeyBinding(.onOff, ["o"]),
    KeyBinding(.skip, ["x"]),
    KeyBinding(.rehearse, ["R"]),
    KeyBinding(.remove, ["D", .delete]),
    KeyBinding(.undo, ["u"]),
    KeyBinding(.clear, ["c"]),
    KeyBinding(.moveDown, ["J"]),
    KeyBinding(.moveUp, ["K"]),
    KeyBinding(.down, ["j", .down]),
    KeyBinding(.up, ["k", .up]),
    KeyBinding(.top, ["g", .home]),
    KeyBinding(.bottom, ["G", .end]),
    KeyBinding(.halfPageDown, [.control("d"), .pageDown]),
    KeyBinding(.halfPageUp, [.control("u"), .pageUp]),
    KeyBinding(.open, [.enter]),
    KeyBinding(.back, ["h", .backspace]),
    KeyBinding(.search, ["/"]),
    KeyBinding(.searchNext, ["n"]),
    KeyBinding(.searchPrevious, ["N"]),
    KeyBinding(.clock, ["1"]),
    KeyBinding(.alarms, ["2"]),
    KeyBinding(.player, ["3"]),
    KeyBinding(.files, ["4"]),
    KeyBinding(.inbox, ["5"]),
    KeyBinding(.log, ["6"]),
    KeyBinding(.help, ["?", "7"]),
    KeyBinding(.nextView, [.tab]),
    KeyBinding(.previousView, [.backTab]),
    KeyBinding(.command, [":"]),
    KeyBinding(.startEngine, ["E"]),
    KeyBinding(.redraw, [.control("l")]),
    KeyBinding(.detach, ["q"]),
    KeyBinding(.stopEngine, ["Q"]),
  ])
}

extension Key: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral {
  /// So that the table reads like a keyboard.
  public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}

extension Key {
  /// As the screen shows it, short. Arrows have names where there are no arrows: `>` is a key of its own.
  func shown(in charset: Charset) -> String {
    if charset == .ascii {
      switch self {
      case .left, .right, .up, .down, .shiftLeft, .shiftRight: return name
      default: break
      }
    }
    return switch self {
    case .left: "←"
    case .right: "→"
    case .up: "↑"
    case .down: "↓"
    case .shiftLeft: "shift ←"
    case .shiftRight: "shift →"
    case .enter: "Enter"
    case .tab: "Tab"
    case .backTab: "shift Tab"
    case .delete: "Del"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .backspace: "Backspace"
    case .control(let letter): "^" + letter.uppercased()
    default: name
    }
  }
}
