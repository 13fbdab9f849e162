import Platform

/// What a terminal sends, as keys, the mouse, pastes, focus and answers.
///
/// Bytes come in as they are read, cut anywhere. What is not known is dropped whole, so that no part of it counts as a key,
/// and neither does a byte that is no UTF-8. A lone ESC cannot be told from the beginning of a sequence but by time: while
/// `isWaiting`, call `timeOut` when nothing has come for `patience`.
///
/// Sources: ECMA-48 (the shape of sequences), ctlseqs of xterm (keys, mouse 1006, focus 1004, paste 2004), kitty's
/// "Comprehensive keyboard handling in terminals" (`CSI … u`).
public struct KeyDecoder: Sendable {
  public enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Sanitised, on one line.
    case paste(String)
    case focus(Bool)
    case answer(Answer)
  }

  /// What a terminal says of itself when it is asked.
  public enum Answer: Hashable, Sendable {
    /// It has kitty's keyboard protocol.
    case knowsKeys
    /// It can hold its picture back until a whole one is there (mode 2026).
    case synchronizes
  }

  private enum State {
    case ground
    case paste
    /// Within what begins with `ESC ]`, `ESC P` and the like, and ends with ST or BEL.
    case string(canEndInBell: Bool)
  }

  private var waiting: [UInt8] = []
  private var state = State.ground
  private var pasted: [UInt8] = []

  /// A paste is cut off here; it is one line at most anyway.
  static let longestPaste = 65_536
  private static let pasteEnd = Array("\u{1b}[201~".utf8)

  public init() {}

  /// The beginning of something has come and its end has not.
  public var isWaiting: Bool {
    if case .ground = state { return !waiting.isEmpty }
    return true
  }

  /// How long to wait for the rest of what has begun, in microseconds, from the last byte on. A person waits for a lone ESC;
  /// for everything else a slow link has time.
  public var patience: Int64 {
    switch state {
    case .paste: 2_000_000
    case .string: 1_000_000
    case .ground: waiting == [0x1b] ? 60_000 : 500_000
    }
  }

  public mutating func append(_ bytes: some Sequence<UInt8>) -> [Input] {
    waiting += bytes
    return drain(isLast: false)
  }

  /// Nothing more comes for now: a lone ESC was the key, a paste without an end is over, and half a sequence is dropped.
  public mutating func timeOut() -> [Input] {
    var inputs = drain(isLast: true)
    if case .paste = state {
      pasted += waiting
      inputs.append(.paste(takePasted()))
    }
    (state, waiting) = (.ground, [])
    return inputs
  }

  private mutating func drain(isLast: Bool) -> [Input] {
    var inputs: [Input] = []
    var at = 0
    loop: while at < waiting.count {
      switch state {
      case .paste:
        at = readPaste(from: at, &inputs)
        if case .paste = state { break loop }
      case .string(let canEndInBell):
        at = endOfString(from: at, canEndInBell)
        if case .string = state { break loop }
      case .ground:
        switch Sequences.first(of: waiting[at...], isLast: isLast) {
        case .incomplete: break loop
        case .nothing(let count): at += count
        case .input(let input, let count):
          inputs.append(input)
          at += count
        case .pasteBegins(let count):
          state = .paste
          at += count
        case .stringBegins(let count, let canEndInBell):
          state = .string(canEndInBell: canEndInBell)
          at += count
        }
      }
    }
    waiting.removeFirst(min(at, waiting.count))
    return inputs
  }

  /// Moves pasted bytes away and answers where it stopped; the bytes that may begin the end mark stay.
  private mutating func readPaste(from start: Int, _ inputs: inout [Input]) -> Int {
    let mark = KeyDecoder.pasteEnd
    var at = start
    while at < waiting.count {
      if waiting[at] == mark[0] {
        let rest = waiting[at...].prefix(mark.count)
        if rest.elementsEqual(mark) {
          state = .ground
          inputs.append(.paste(takePasted()))
          return at + mark.count
        }
        if mark.starts(with: rest) { return at }
      }
      if pasted.count < KeyDecoder.longestPaste { pasted.append(waiting[at]) }
      at += 1
    }
    return at
  }

  private mutating func takePasted() -> String {
    defer { pasted = [] }
    return clean(String(decoding: pasted, as: UTF8.self))
  }

  /// Passes over a string of the terminal's and answers where it stopped; nothing of it is kept. An ESC at the end may begin
  /// its end and stays.
  private mutating func endOfString(from start: Int, _ canEndInBell: Bool) -> Int {
    var at = start
    while at < waiting.count {
      switch waiting[at] {
      case 0x07 where canEndInBell, 0x18, 0x1a:
        state = .ground
        return at + 1
      case 0x1b:
        guard at + 1 < waiting.count else { return at }
        state = .ground
        // Anything but ST begins something of its own.
        return waiting[at + 1] == UInt8(ascii: "\\") ? at + 2 : at
      default: at += 1
      }
    }
    return at
  }
}
