/// A colour of a theme: as it is meant, and which of the terminal's eight own ones stands for it where there are no others.
struct Ink: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// One of the terminal's own eight (0 black, 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 7 white), whatever the
    /// person made of it.
    case own
    /// `0xRRGGBB`
    case exactly(UInt32)
  }
  let kind: Kind
  let own: Int

  static func own(_ number: Int) -> Ink { Ink(kind: .own, own: number) }
  init(kind: Kind, own: Int) { (self.kind, self.own) = (kind, own) }
  init(_ colour: UInt32, own: Int) { self.init(kind: .exactly(colour), own: own) }
}

/// How a cell is drawn.
struct Look: Hashable, Sendable {
  /// nil: the theme's own, which may be the terminal's.
  var ink: Ink?
  var ground: Ink?
  var isBold = false
  var isDim = false
  var isUnderlined = false
  var isReversed = false

  init(
    _ ink: Ink? = nil, on ground: Ink? = nil, bold: Bool = false, dim: Bool = false, underlined: Bool = false,
    reversed: Bool = false
  ) {
    (self.ink, self.ground) = (ink, ground)
    (isBold, isDim, isUnderlined, isReversed) = (bold, dim, underlined, reversed)
  }
}

/// What each role looks like (`ui.theme`).
public enum Theme: String, Hashable, Sendable, CaseIterable {
  /// The terminal's own foreground, background and eight colours.
  case `default`
  case dark, light
  /// No colours at all.
  case mono
  /// Dim red on black, for the bedroom: red light lets eyes that are used to the dark stay so.
  case night

  /// How a style is drawn with so many colours. What is selected looks like nothing that is not.
  func look(_ style: Style, _ depth: ColourDepth) -> Look {
    switch depth == .none ? .mono : self {
    case .default: selected(Theme.own(style.role), style)
    case .mono: Theme.mono(style)
    case .dark: Theme.dark(style, depth)
    case .light: Theme.light(style, depth)
    case .night: Theme.night(style, depth)
    }
  }

  private func selected(_ look: Look, _ style: Style) -> Look {
    guard style.isSelected else { return look }
    // A colour of its own behind the text cannot be turned round with it.
    var turned = look.ground == nil ? look : Look(bold: look.isBold)
    turned.isReversed = true
    turned.isDim = false
    turned.isUnderlined = false
    return turned
  }

  // MARK: - The terminal's own

  private static func own(_ role: Role) -> Look {
    switch role {
    case .normal: Look()
    case .dim, .tab, .barRest: Look(dim: true)
    case .strong: Look(bold: true)
    case .accent, .bar: Look(.own(6))
    case .digits, .title, .key: Look(.own(6), bold: true)
    case .tabShown, .heading: Look(.own(0), on: .own(6))
    case .field: Look(underlined: true)
    case .good: Look(.own(2))
    case .playing: Look(.own(2), bold: true)
    case .warning: Look(.own(3))
    case .error: Look(.own(1), bold: true)
    case .ringing: Look(.own(7), on: .own(1), bold: true)
    }
  }

  private static func mono(_ style: Style) -> Look {
    let look =
      switch style.role {
      case .normal, .good, .bar: Look()
      case .dim, .tab, .barRest: Look(dim: true)
      case .strong, .accent, .digits, .key, .playing, .warning, .error: Look(bold: true)
      case .title, .tabShown: Look(bold: true, underlined: true)
      case .field: Look(underlined: true)
      // Not to be taken for a line that is selected.
      case .ringing, .heading: Look(bold: true, underlined: true, reversed: true)
      }
    return style.isSelected ? Look(bold: look.isBold, reversed: true) : look
  }

  // MARK: - Colours of its own

  private static let black = Ink(0x000000, own: 0)
  private static let paper = Ink(0xfafafa, own: 7)
  private static let slate = Ink(0x1a1b26, own: 0)

  private static func dark(_ style: Style, _ depth: ColourDepth) -> Look {
    let plain = Ink(0xc8ccd8, own: 7)
    var look =
      switch style.role {
      case .normal: Look(plain)
      case .dim, .tab: Look(Ink(0x8a90a6, own: 7), dim: depth == .eight)
      case .strong: Look(Ink(0xffffff, own: 7), bold: true)
      case .accent, .bar: Look(Ink(0x7dcfff, own: 6))
      case .digits: Look(Ink(0x7dcfff, own: 6), bold: true)
      case .title: Look(Ink(0x7aa2f7, own: 6), bold: true)
      case .tabShown, .heading: Look(slate, on: Ink(0x7aa2f7, own: 6))
      case .key: Look(Ink(0xe0af68, own: 3), bold: true)
      case .field: Look(Ink(0xffffff, own: 7), underlined: true)
      case .good: Look(Ink(0x9ece6a, own: 2))
      case .playing: Look(Ink(0x9ece6a, own: 2), bold: true)
      case .warning: Look(Ink(0xe0af68, own: 3))
      case .error: Look(Ink(0xf7768e, own: 1), bold: true)
      case .ringing: Look(slate, on: Ink(0xf7768e, own: 1), bold: true)
      case .barRest: Look(Ink(0x565f89, own: 7), dim: depth == .eight)
      }
    return finished(&look, style, depth, ground: slate, selected: Look(plain, on: Ink(0x303446, own: 4)))
  }

  private static func light(_ style: Style, _ depth: ColourDepth) -> Look {
    let plain = Ink(0x2e3440, own: 0)
    var look =
      switch style.role {
      case .normal: Look(plain)
      case .dim, .tab: Look(Ink(0x626a78, own: 0), dim: depth == .eight)
      case .strong: Look(Ink(0x000000, own: 0), bold: true)
      case .accent, .bar: Look(Ink(0x005f87, own: 4))
      case .digits, .title: Look(Ink(0x005f87, own: 4), bold: true)
      case .tabShown, .heading: Look(paper, on: Ink(0x005f87, own: 4))
      case .key: Look(Ink(0x87005f, own: 5), bold: true)
      case .field: Look(Ink(0x000000, own: 0), underlined: true)
      case .good: Look(Ink(0x1a6f30, own: 2))
      case .playing: Look(Ink(0x1a6f30, own: 2), bold: true)
      case .warning: Look(Ink(0x875f00, own: 5))
      case .error: Look(Ink(0xaf1a1a, own: 1), bold: true)
      case .ringing: Look(paper, on: Ink(0xaf1a1a, own: 1), bold: true)
      case .barRest: Look(Ink(0x9aa2b0, own: 0), dim: depth == .eight)
      }
    return finished(&look, style, depth, ground: paper, selected: Look(plain, on: Ink(0xc6dbff, own: 6)))
  }

  private static func night(_ style: Style, _ depth: ColourDepth) -> Look {
    func red(_ level: UInt32) -> Ink { Ink(level << 16, own: 1) }
    var look =
      switch style.role {
      case .normal, .digits, .good, .bar, .accent: Look(red(0xaf))
      case .dim, .tab: Look(red(0x87), dim: depth == .eight)
      case .strong, .title, .key, .playing: Look(red(0xd7), bold: true)
      case .tabShown: Look(red(0xd7), bold: true, underlined: true)
      case .field: Look(red(0xd7), underlined: true)
      case .warning: Look(red(0xff))
      case .error: Look(red(0xff), bold: true)
      case .ringing: Look(black, on: red(0xff), bold: true)
      case .heading: Look(black, on: red(0xd7))
      case .barRest: Look(red(0x5f), dim: depth == .eight)
      }
    return finished(&look, style, depth, ground: black, selected: Look(black, on: red(0xaf)))
  }

  /// Puts the theme's ground behind a look, or the colours of what is selected.
  private static func finished(
    _ look: inout Look, _ style: Style, _ depth: ColourDepth, ground: Ink, selected: Look
  ) -> Look {
    guard style.isSelected else {
      if look.ground == nil { look.ground = ground }
      return look
    }
    // Of eight colours none is left for it.
    if depth == .eight { return Look(look.ground ?? look.ink, on: ground, bold: look.isBold, reversed: true) }
    let keepsInk =
      look.ground == nil && ![.dim, .tab, .barRest].contains(style.role) && selected.ink != black
    return Look(keepsInk ? look.ink : selected.ink, on: selected.ground, bold: look.isBold)
  }
}
