import Harness
import Platform
import Schedule
import Screen
import Wire

/// Bytes at random from a terminal, through the decoder and the model to a frame: keys, mouse reports, pastes, answers and
/// garbage, cut anywhere, between resizes. A trap is a fault, and so is a key that no keyboard has.
enum FuzzScreen {
  static func run(_ count: Int, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = KeyDecoder()
    var model = Model(now: now(0), size: Size(columns: 80, rows: 24), clock: .hours24, charset: .unicode)
    var heard = 0
    for step in 0..<count {
      var inputs = decoder.append(bytes(&random))
      if Int.random(in: 0..<3, using: &random) == 0 { inputs += decoder.timeOut() }
      for input in inputs {
        heard += 1
        if let event = event(input) { _ = model.update(event, at: now(step)) }
      }
      if Int.random(in: 0..<20, using: &random) == 0 {
        let size = Size(
          columns: Int.random(in: 0..<140, using: &random), rows: Int.random(in: 0..<50, using: &random))
        _ = model.update(.resize(size), at: now(step))
      }
      if step % 10 == 0 { _ = view(model) }
    }
    Fuzz.say("fuzz: \(count) pieces of what a terminal sends, \(heard) heard, no trap")
  }

  private static func event(_ input: KeyDecoder.Input) -> Event? {
    switch input {
    case .key(let key):
      if case .character(let character) = key {
        let isTyped = character.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value)
        }
        precondition(isTyped, "a key that no keyboard has: \(character.unicodeScalars.map(\.value))")
      }
      return .key(key)
    case .mouse(let mouse): return .mouse(mouse)
    case .paste(let text):
      precondition(clean(text) == text, "a paste that was not sanitised")
      return .paste(text)
    case .focus(let hasFocus): return .focus(hasFocus)
    case .answer: return nil
    }
  }

  private static func now(_ step: Int) -> Moment {
    let instant = Instant(microseconds: 1_796_000_000_000_000 + Int64(step) * 50_000)
    return Moment(wall: WallTime(instant, offset: 3600), monotonic: Int64(step) * 50_000)
  }

  private static let pieces: [[UInt8]] = [
    "\u{1b}[", "\u{1b}O", "\u{1b}[<0;10;5M", "\u{1b}[<0;", "\u{1b}[200~", "\u{1b}[201~", "\u{1b}[57428u",
    "\u{1b}]52;c;", "\u{1b}P",
    "\u{1b}\\", "\u{7}", "\u{1b}[1;2C", "\u{1b}[27;5;108~", "\u{1b}[I", "\u{1b}[O", "\u{1b}[?2026;2$y",
    "\u{1b}[97:65;2:1;65u",
    "\u{1b}[M", "早", "🎹", "e\u{301}", "\u{9b}", "a", "2", "3", "4", "5", "/", ":", "\r", "\t", "?", " ",
  ].map { Array($0.utf8) }

  private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0..<6, using: &random)).flatMap { _ -> [UInt8] in
      let piece = pieces.randomElement(using: &random) ?? []
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        return (0..<Int.random(in: 0..<8, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      case 1: return Array(piece.prefix(Int.random(in: 0...piece.count, using: &random)))
      default: return piece
      }
    }
  }
}
