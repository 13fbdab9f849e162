import Testing

@testable import Screen

@Suite("Themes and colours")
struct ThemeTests {
  @Test("What is selected looks like nothing that is not", arguments: Theme.allCases, ColourDepth.allCases)
  func selected(_ theme: Theme, _ depth: ColourDepth) {
    let plain = Set(Role.allCases.map { theme.look(Style($0), depth) })
    for role in Role.allCases {
      let look = theme.look(Style(role, selected: true), depth)
      #expect(!plain.contains(look), "\(role)")
    }
  }

  @Test(
    "A theme's colours can be read on its ground, also where they are brought to 256 or eight",
    arguments: [Theme.dark, .light, .night], [ColourDepth.eight, .indexed, .direct])
  func contrast(_ theme: Theme, _ depth: ColourDepth) throws {
    for role in Role.allCases {
      for isSelected in [false, true] {
        let look = theme.look(Style(role, selected: isSelected), depth)
        let ground = try #require(look.ground)
        let ink = look.ink ?? Ink(0xc0c0c0, own: 7)
        let ratio = contrast(shown(ink, depth), shown(ground, depth))
        let least = depth == .eight ? 1.5 : role == .barRest ? 1.3 : theme == .night ? 1.9 : 3
        #expect(ratio >= least, "\(theme) \(depth) \(role)\(isSelected ? " selected" : ""): \(ratio)")
      }
    }
  }

  @Test(
    "Without colours a theme is told apart by bold, dim, underlined and reversed alone",
    arguments: Theme.allCases)
  func mono(_ theme: Theme) {
    for role in Role.allCases {
      let look = theme.look(Style(role), .none)
      #expect(look.ink == nil && look.ground == nil)
    }
    #expect(theme.look(Style(.ringing), .none) != theme.look(Style(.normal), .none))
  }

  @Test("Night is red and nothing else")
  func night() {
    for role in Role.allCases {
      let look = Theme.night.look(Style(role), .direct)
      for case .exactly(let colour)? in [look.ink?.kind, look.ground?.kind] { #expect(colour & 0xffff == 0) }
    }
  }

  @Test(
    "How many colours there are",
    arguments: [
      ([:], 8, false, .eight), ([:], 256, false, .indexed), ([:], -1, false, .none),
      (["COLORTERM": "truecolor"], 256, false, .direct), (["COLORTERM": "24bit"], 8, false, .direct),
      ([:], 0x100_0000, true, .direct), (["COLORTERM": "truecolor", "NO_COLOR": "1"], 256, false, .none),
      (["NO_COLOR": ""], 256, false, .indexed),
      (["COLORTERM": "truecolor", "STY": "1.x"], 256, false, .indexed),
      (["COLORTERM": "truecolor", "STY": "1.x", "TMUX": "/t"], 256, false, .direct),
      (["COLORTERM": "truecolor"], -1, false, .none), (["COLORTERM": "gnome-terminal"], 256, false, .indexed),
    ] as [([String: String], Int, Bool, ColourDepth)])
  func depth(_ environment: [String: String], _ colours: Int, _ isDirect: Bool, _ depth: ColourDepth) {
    #expect(ColourDepth.of(environment: environment, colours: colours, isDirect: isDirect) == depth)
  }

  @Test(
    "The nearest of 256",
    arguments: [
      (0x000000, 16), (0xffffff, 231), (0xff0000, 196), (0x808080, 244), (0x1a1b26, 234), (0x5f87af, 67),
    ]
      as [(UInt32, Int)])
  func nearest(_ colour: UInt32, _ index: Int) { #expect(ColourDepth.index(of: colour) == index) }

  /// As the terminal shows it: xterm's palette.
  private func shown(_ ink: Ink, _ depth: ColourDepth) -> [Int] {
    let eight = [
      [0, 0, 0], [0xcd, 0, 0], [0, 0xcd, 0], [0xcd, 0xcd, 0], [0, 0, 0xee], [0xcd, 0, 0xcd], [0, 0xcd, 0xcd],
      [0xe5, 0xe5, 0xe5],
    ]
    guard case .exactly(let colour) = ink.kind, depth != .eight else { return eight[ink.own] }
    if depth == .direct { return ColourDepth.components(colour) }
    let index = ColourDepth.index(of: colour)
    if index >= 232 { return Array(repeating: 8 + 10 * (index - 232), count: 3) }
    let steps = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff]
    return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { steps[$0] }
  }

  /// The contrast of WCAG 2.1.
  private func contrast(_ one: [Int], _ other: [Int]) -> Double {
    func luminance(_ colour: [Int]) -> Double {
      // Close enough to the curve of sRGB without a power function.
      zip(colour, [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
        let share = Double(part.0) / 255
        return sum + part.1 * share * share * (0.75 + 0.25 * share)
      }
    }
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}
