/// Which keys were held: one more than a sum of 1 for Shift, 2 for Alt, 4 for Ctrl and 8 to 32 for what no key here has.
/// The locks (64, 128) change nothing.
struct HeldKeys {
  let isShift: Bool
  let isControl: Bool
  /// A key that is held together with Alt, Super, Hyper or Meta means nothing here.
  let isForeign: Bool

  init(_ parameter: Int?) {
    let bits = max(0, (parameter ?? 1) - 1)
    (isShift, isControl, isForeign) = (bits & 1 != 0, bits & 4 != 0, bits & (2 | 8 | 16 | 32) != 0)
  }

  /// The key as it is with what is held; nil where that is another key, which has no meaning here.
  func with(_ key: Key?) -> Key? {
    guard let key, !isForeign else { return nil }
    switch key {
    case .left where isShift && !isControl: return .shiftLeft
    case .right where isShift && !isControl: return .shiftRight
    case .tab where isShift: return .backTab
    case .character(let character) where isControl:
      guard let letter = character.lowercased().first, ("a"..."z").contains(letter) else { return nil }
      return .control(letter)
    default: return key
    }
  }
}

/// The keys as xterm and the VT220 send them.
enum LegacyKeys {
  /// `ESC O final`: the arrows, Home, End and the keypad in application mode.
  static func singleShift(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "j"): "*"
    case UInt8(ascii: "k"): "+"
    case UInt8(ascii: "m"): "-"
    case UInt8(ascii: "o"): "/"
    case UInt8(ascii: "p")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 0x40)))
    default: letter(final)
    }
  }

  /// `CSI number ; held final`.
  static func control(_ final: UInt8, _ numbers: Parameters) -> Key? {
    // An event of a key that is let go (kitty) is no press.
    if numbers[1, 1] == 3 { return nil }
    let held = HeldKeys(numbers[1])
    switch final {
    case UInt8(ascii: "~"):
      // xterm's modifyOtherKeys: CSI 27 ; held ; code ~
      if numbers[0] == 27, let code = numbers[2] { return held.with(KittyKeys.key(code)) }
      return held.with(tilde(numbers[0]))
    case UInt8(ascii: "Z"): return .backTab
    // rxvt's arrows with Shift.
    case UInt8(ascii: "c"): return .shiftRight
    case UInt8(ascii: "d"): return .shiftLeft
    default: return held.with(letter(final))
    }
  }

  private static func letter(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private static func tilde(_ number: Int?) -> Key? {
    switch number {
    case 1, 7: .home
    case 4, 8: .end
    case 3: .delete
    case 5: .pageUp
    case 6: .pageDown
    default: nil
    }
  }
}

/// The keys of kitty's protocol: `CSI code : shifted ; held : event u`.
enum KittyKeys {
  static func read(_ numbers: Parameters) -> Key? {
    guard let code = numbers[0], numbers[1, 1] != 3 else { return nil }
    let held = HeldKeys(numbers[1])
    // What the key types with Shift, where the terminal says so.
    if held.isShift, !held.isControl, !held.isForeign, let shifted = numbers[0, 1] ?? numbers[2] {
      return key(shifted)
    }
    let pressed = held.with(key(code))
    if held.isShift, case .character(let character)? = pressed, character.isLetter {
      return character.uppercased().first.map { .character($0) }
    }
    return pressed
  }

  static func key(_ code: Int) -> Key? {
    switch code {
    case 27: return .escape
    case 13, 57414: return .enter
    case 9: return .tab
    case 127, 8: return .backspace
    case 57399...57408: return .character(Character(Unicode.Scalar(UInt8(0x30 + code - 57399))))
    case 57409...57416: return keypad(code)
    case 57417: return .left
    case 57418: return .right
    case 57419: return .up
    case 57420: return .down
    case 57421: return .pageUp
    case 57422: return .pageDown
    case 57423: return .home
    case 57424: return .end
    case 57426: return .delete
    case 57428...57440: return media(code).map { .media($0) }
    // The other codes of this range are keys that type nothing: Shift, F13, Print.
    case 57344...63743: return nil
    default: return UInt32(exactly: code).flatMap(Sequences.key(of:))
    }
  }

  private static func keypad(_ code: Int) -> Key? {
    switch code {
    case 57409: "."
    case 57410: "/"
    case 57411: "*"
    case 57412: "-"
    case 57413: "+"
    case 57415: "="
    case 57416: ","
    default: nil
    }
  }

  /// Reverse, fast forward, rewind and record have no meaning here.
  private static func media(_ code: Int) -> MediaKey? {
    switch code {
    case 57428: .play
    case 57429: .pause
    case 57430: .playPause
    case 57432: .stop
    case 57435: .next
    case 57436: .previous
    case 57438: .volumeDown
    case 57439: .volumeUp
    case 57440: .mute
    default: nil
    }
  }
}
