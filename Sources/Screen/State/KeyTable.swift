/// What a key does outside the prompt and the ringing overlay.
enum Action: Hashable, Sendable, CaseIterable {
  case playPause, snooze, dismiss, add, scrollDown, scrollUp, startEngine, redraw, detach, help
}

/// A row of the table of keys.
struct KeyBinding: Sendable {
  let action: Action
  let keys: [Key]
  /// The keys as they are shown.
  let names: String
  /// For the hints at the bottom; nil: not among them.
  let hint: String?
  /// For the help.
  let does: String
}

/// The one table of keys: what is looked up at a key press, the hints at the bottom and the help are made from it.
enum KeyTable {
  static let bindings: [KeyBinding] = [
    KeyBinding(
      action: .playPause, keys: [.character(" "), .character("p")], names: "space, p",
      hint: "space play/pause", does: "plays or pauses the music"),
    KeyBinding(
      action: .snooze, keys: [.character("s")], names: "s", hint: "s snooze",
      does: "snoozes what rings"),
    KeyBinding(
      action: .dismiss, keys: [.character("d")], names: "d", hint: "d dismiss",
      does: "dismisses what rings or is snoozed"),
    KeyBinding(
      action: .add, keys: [.character("a")], names: "a", hint: "a add",
      does: "adds an alarm: 07:00, mon-fri 7am, +25m"),
    KeyBinding(
      action: .scrollDown, keys: [.character("j"), .down], names: "j, down", hint: nil,
      does: "moves the list of alarms on"),
    KeyBinding(
      action: .scrollUp, keys: [.character("k"), .up], names: "k, up", hint: nil, does: "moves it back"),
    KeyBinding(
      action: .startEngine, keys: [.character("e")], names: "e", hint: nil,
      does: "starts the engine where it is gone"),
    KeyBinding(
      action: .redraw, keys: [.control("l")], names: "Ctrl-L", hint: nil, does: "draws the screen anew"),
    KeyBinding(
      action: .detach, keys: [.character("q")], names: "q", hint: "q detach",
      does: "leaves the screen; alarms and music go on"),
    KeyBinding(
      action: .help, keys: [.character("?")], names: "?", hint: "? keys", does: "shows the keys"),
  ]

  static func action(for key: Key) -> Action? { bindings.first { $0.keys.contains(key) }?.action }
}
