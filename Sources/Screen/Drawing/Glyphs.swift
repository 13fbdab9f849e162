import Platform

import struct CNcurses.wchar_t
import func CNcurses.wcwidth

/// What the terminal can show: UTF-8, or ASCII alone where the locale says so.
public enum Charset: Hashable, Sendable {
  case unicode
  case ascii
}

/// One unit that goes into one or two cells: a character that takes room and the marks that stand on it.
public struct Glyph: Hashable, Sendable {
  public let text: String
  /// Columns: 1 or 2.
  public let width: Int
}

/// Cuts text into what a terminal draws, with the width the C library gives (`wcwidth`), which is what ncurses and the
/// terminal count by.
///
/// Terminals disagree about joined emoji, variation selectors, skin tones and flags, and one wrong count shifts the rest
/// of a line. So these are brought to what all agree on: the first emoji of a joined group, the letters of a flag.
/// `setlocale` must have been called before; the C library's answer depends on it.
enum Glyphs {
  /// Marks kept on one character; ncurses holds five code points in a cell (`CCHARW_MAX`).
  static let mostMarks = 4

  /// Printable ASCII, which is most of what is drawn and needs no care.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }

  /// The glyphs of a text that is plain, or of the lines and blocks of which bars and digits are made; nil where anything else
  /// is in it. Each takes one column.
  static func simple(_ text: String, _ charset: Charset) -> [Glyph]? {
    var glyphs: [Glyph] = []
    glyphs.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20..<0x7f: glyphs.append(plain[Int(scalar.value)])
      case 0x2500..<0x25a0 where charset == .unicode: glyphs.append(blocks[Int(scalar.value - 0x2500)])
      default: return nil
      }
    }
    return glyphs
  }

  private static let plain: [Glyph] = (0..<0x7f).map { glyph($0) }
  private static let blocks: [Glyph] = (0x2500..<0x25a0).map { glyph($0) }

  private static func glyph(_ value: UInt32) -> Glyph {
    Glyph(text: Unicode.Scalar(value).map { String(Character($0)) } ?? " ", width: 1)
  }

  /// The glyphs of one grapheme, which are drawn together or not at all. The text must have gone through `clean`.
  static func of(_ character: Character, _ charset: Charset) -> [Glyph] {
    if let ascii = character.asciiValue {
      return [Glyph(text: ascii < 0x20 || ascii == 0x7f ? " " : String(character), width: 1)]
    }
    if charset == .ascii { return [Glyph(text: inASCII(character), width: 1)] }
    // Lines and blocks, of which bars and digits are made.
    if let scalar = character.unicodeScalars.first, (0x2500..<0x25a0).contains(scalar.value),
      character.unicodeScalars.dropFirst().isEmpty
    {
      return [Glyph(text: String(character), width: 1)]
    }
    var glyphs: [Glyph] = []
    var text = ""
    var width = 0
    var marks = 0
    func flush() {
      if width > 0 { glyphs.append(Glyph(text: text, width: width)) }
      (text, width, marks) = ("", 0, 0)
    }
    scalars: for scalar in character.unicodeScalars {
      switch scalar.value {
      case 0x200d:  // What is joined behind the first emoji is left out; in a script's text the joiner is.
        if isPictograph(character) { break scalars }
        continue
      case 0xfe00...0xfe0f, 0x20e3, 0x200b, 0x200c, 0x2060...0x2064: continue
      case 0x1f3fb...0x1f3ff where width > 0: continue
      case 0x1f1e6...0x1f1ff:
        flush()
        glyphs.append(Glyph(text: letter(ofFlag: scalar), width: 1))
        continue
      default: break
      }
      let columns = Int(wcwidth(wchar_t(bitPattern: scalar.value)))
      switch columns {
      case 0:
        if width == 0 { (text, width) = (" ", 1) }
        if marks < mostMarks { text.unicodeScalars.append(scalar) }
        marks += 1
      case 1, 2:
        flush()
        (text, width) = (String(Character(scalar)), columns)
      default:  // Not assigned, as far as this C library knows.
        flush()
        (text, width) = ("\u{fffd}", 1)
      }
    }
    flush()
    return glyphs
  }

  /// Terminals do not agree on its width: an emoji, a character with marks, or one of a script whose letters join. Of the
  /// scripts below nobody doubts it.
  static func isDisputed(_ text: String) -> Bool {
    var scalars = text.unicodeScalars.makeIterator()
    guard let first = scalars.next(), first.value >= 0x80 else { return false }
    guard scalars.next() == nil else { return true }
    switch first.value {
    // Latin, Greek, Cyrillic; lines and blocks; Han, kana, Hangul and their full-width forms.
    case 0xa0..<0x300, 0x370..<0x483, 0x48a..<0x530, 0x1e00..<0x2000, 0x2010..<0x2028, 0x2500..<0x25fd,
      0x2e80..<0x3040,
      0x3041..<0xa4d0, 0xac00..<0xd7a4, 0xf900..<0xfb00, 0xff01..<0xffe7, 0xfffd:
      return false
    default: return true
    }
  }

  /// As much of a text as can matter to so many columns: a character of 10 000 marks costs no more than a word.
  static func beginning(of text: String, columns: Int) -> String {
    let most = 16 * max(0, columns) + 64
    return text.utf8.count <= most ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
  }

  /// The number of columns a text takes, or any number above `limit` where it takes more.
  ///
  /// Text from outside may be of any length, so no more of it is looked at than the limit asks for.
  static func width(of text: String, _ charset: Charset, upTo limit: Int) -> Int {
    let text = beginning(of: text, columns: limit)
    if isPlain(text) { return text.utf8.count }
    var width = 0
    for character in clean(text) {
      for glyph in of(character, charset) { width += glyph.width }
      if width > limit { return width }
    }
    return width
  }

  private static func isPictograph(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return first.properties.isEmoji && first.value > 0xff
  }

  /// Regional indicators are two to a flag; as letters every terminal shows them alike.
  private static func letter(ofFlag scalar: Unicode.Scalar) -> String {
    Unicode.Scalar(scalar.value - 0x1f1e6 + 0x41).map { String(Character($0)) } ?? "?"
  }

  private static func inASCII(_ character: Character) -> String {
    // Compared as it is: to bring ten thousand marks into one order, only to find that it is no line, takes too long.
    guard let only = character.unicodeScalars.first, character.unicodeScalars.dropFirst().isEmpty else {
      return "?"
    }
    return switch only {
    case "█", "▀", "▄", "▓": "#"
    case "━", "─", "═", "╸", "–", "—": "-"
    case "│", "┃": "|"
    case "┌", "┐", "└", "┘", "┏", "┓", "┗", "┛", "╭", "╮", "╰", "╯", "├", "┤": "+"
    case "·", "•": "-"
    case "●": "*"
    case "○": "o"
    case "▶": ">"
    case "‖", "≡": "="
    case "■": "#"
    case "…": "~"
    case "“", "”": "\""
    case "‘", "’": "'"
    case "→": ">"
    case "×": "x"
    default: "?"
    }
  }
}
