/// A report of the mouse: `CSI < bits ; column ; row M`, `m` where a button was let go (xterm's mode 1006).
enum MouseReport {
  /// nil where it says nothing that is used here, or lies outside of every screen.
  static func read(_ numbers: [Int], isRelease: Bool) -> Mouse? {
    guard numbers.count == 3, numbers[0] >= 0 else { return nil }
    let (bits, column, row) = (numbers[0], numbers[1] - 1, numbers[2] - 1)
    guard (0..<1000).contains(column), (0..<1000).contains(row) else { return nil }
    var modifiers = Mouse.Modifiers()
    if bits & 4 != 0 { modifiers.insert(.shift) }
    if bits & 8 != 0 { modifiers.insert(.alt) }
    if bits & 16 != 0 { modifiers.insert(.control) }
    func mouse(_ kind: Mouse.Kind, _ button: Mouse.Button = .none) -> Mouse {
      Mouse(kind, button, row: row, column: column, modifiers: modifiers)
    }
    let button: Mouse.Button? =
      switch bits & 3 {
      case 0: .left
      case 1: .middle
      case 2: .right
      default: nil
      }
    switch bits & ~(4 | 8 | 16 | 3) {
    case 0:
      // Without a number the old report says that some button was let go.
      guard let button else { return mouse(.release) }
      return mouse(isRelease ? .release : .press, button)
    case 32: return button.map { mouse(.drag, $0) }
    case 64:
      if isRelease { return nil }
      return bits & 3 == 0 ? mouse(.wheelUp) : bits & 3 == 1 ? mouse(.wheelDown) : nil
    default: return nil
    }
  }
}
