/// How many colours a terminal has.
public enum ColourDepth: Hashable, Sendable, CaseIterable {
  case none
  case eight
  /// xterm's 256: the eight and their bright ones, a cube of 6 × 6 × 6, 24 greys.
  case indexed
  /// Red, green and blue of eight bits each.
  case direct

  /// What a terminal has, by its description (`colours`, and `isDirect` where that promises direct ones) and by what its
  /// maker put in the environment.
  ///
  /// `NO_COLOR` (no-color.org): any value but the empty one. `COLORTERM` is `truecolor` or `24bit`; inside GNU screen it is
  /// what the terminal outside has, which screen does not pass on.
  public static func of(environment: [String: String], colours: Int, isDirect: Bool) -> ColourDepth {
    if environment["NO_COLOR"]?.isEmpty == false { return .none }
    let promised = ["truecolor", "24bit"].contains(environment["COLORTERM", default: ""].lowercased())
    let isInScreen = environment["STY"]?.isEmpty == false && environment["TMUX"]?.isEmpty != false
    if isDirect || (promised && !isInScreen && colours >= 8) { return .direct }
    return colours >= 256 ? .indexed : colours >= 8 ? .eight : .none
  }

  /// The nearest of the cube and the greys, which no terminal lets people change: 16 to 255.
  static func index(of colour: UInt32) -> Int {
    let wanted = components(colour)
    func distance(_ other: [Int]) -> Int {
      zip(wanted, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let steps = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff]
    func step(_ value: Int) -> Int {
      steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }
    let cube = wanted.map(step)
    let grey = max(0, min(23, (wanted.reduce(0, +) / 3 - 3) / 10))
    let isGrey = distance(cube.map { steps[$0] }) > distance(Array(repeating: 8 + 10 * grey, count: 3))
    return isGrey ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
  }

  static func components(_ colour: UInt32) -> [Int] {
    [Int(colour >> 16 & 0xff), Int(colour >> 8 & 0xff), Int(colour & 0xff)]
  }
}
