import Glibc
import Platform
import Testing

@testable import Screen

@Suite("Pictures of the screen")
struct SnapshotTests {
  static let sizes = [(132, 43), (80, 24), (40, 12), (20, 6), (1, 1)].map {
    Size(columns: $0.0, rows: $0.1)
  }

  @Test("A scene looks as it was recorded", arguments: Scenes.all, sizes)
  func scene(_ name: String, _ size: Size) throws {
    useUTF8()
    let model = Scenes.model(name, size.columns, size.rows)
    try compare(view(model), "\(name) \(size.columns)x\(size.rows)")
  }

  @Test("Twelve hours and ASCII look as recorded", arguments: ["playing", "ringing"])
  func other(_ name: String) throws {
    useUTF8()
    let scene = Scenes.model(name, 80, 24)
    var model = Model(now: scene.now, size: scene.size, clock: .hours12, charset: .ascii)
    guard let status = scene.status else { return }
    _ = model.update(.connected, at: Samples.now())
    Samples.answer(&model, model.update(.replied(.subscribe, .success(.status(status))), at: Samples.now()))
    _ = model.update(.tick, at: Samples.now(2))
    let frame = view(model)
    #expect(frame.cells.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
    try compare(frame, "\(name) 80x24 ASCII")
  }

  private func compare(_ frame: Frame, _ name: String) throws {
    let folder = String("\(#filePath)".dropLast("SnapshotTests.swift".count)) + "Snapshots"
    let path = "\(folder)/\(name.split(separator: " ").joined(separator: "-")).txt"
    let picture = Picture.text(of: frame)
    if currentEnvironment()["RECORD_SNAPSHOTS"] == "1" {
      mkdir(folder, 0o755)
      try replaceFile(path, with: Array(picture.utf8), mode: 0o644)
      Issue.record("recorded \(name): look at it, and run without RECORD_SNAPSHOTS")
      return
    }
    let recorded = String(decoding: try readFile(path), as: UTF8.self)
    #expect(picture == recorded, "\(name) is not as recorded:\n\(picture)")
  }
}

/// A frame as text: its lines, and below them the styles, a letter a cell.
enum Picture {
  static func text(of frame: Frame) -> String {
    var text = ""
    for row in 0..<frame.size.rows {
      var line = ""
      for column in 0..<frame.size.columns { line += frame[column, row].text }
      text += "|\(line)|\n"
    }
    let used = Set(frame.cells.map(\.style.role))
    let legend = Role.allCases.filter(used.contains).map { "\(letter(Style($0))) \($0)" }.joined(
      separator: ", ")
    text += "\nstyles: \(legend); capital and # + selected\n"
    for row in 0..<frame.size.rows {
      var line = ""
      for column in 0..<frame.size.columns { line += letter(frame[column, row].style) }
      text += "|\(line)|\n"
    }
    let styles = Set(frame.cells.map(\.style)).sorted {
      ($0.role.rawValue, $0.isSelected ? 1 : 0) < ($1.role.rawValue, $1.isSelected ? 1 : 0)
    }
    for theme in [Theme.dark, .light] {
      let looks = styles.map { "\(letter($0)) \(shown(theme.look($0, .direct)))" }
      text += "\n\(theme): \(looks.joined(separator: ", "))"
    }
    text += "\n"
    let cursor = frame.cursor.map { "column \($0.column), row \($0.row)" } ?? "hidden"
    return text + "\ncursor: \(cursor)\nrefresh: each \(frame.refresh)\n"
  }

  /// `#5fd7ff on #101010 bold`
  private static func shown(_ look: Look) -> String {
    func name(_ ink: Ink?) -> String? {
      switch ink?.kind {
      case .exactly(let colour)?:
        let hex = String(colour, radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - hex.count)) + hex
      case .own?: return "own \(ink?.own ?? 0)"
      case nil: return nil
      }
    }
    let words = [
      name(look.ink), name(look.ground).map { "on \($0)" }, look.isBold ? "bold" : nil,
      look.isDim ? "dim" : nil,
      look.isUnderlined ? "underlined" : nil, look.isReversed ? "reversed" : nil,
    ].compactMap { $0 }
    return words.isEmpty ? "own" : words.joined(separator: " ")
  }

  private static func letter(_ style: Style) -> String {
    let letter =
      switch style.role {
      case .normal: "."
      case .dim: "-"
      case .strong: "b"
      case .accent: "a"
      case .digits: "8"
      case .title: "t"
      case .tab: "v"
      case .tabShown: "s"
      case .key: "k"
      case .field: "f"
      case .good: "g"
      case .playing: "p"
      case .warning: "w"
      case .error: "e"
      case .ringing: "r"
      case .heading: "h"
      case .bar: "x"
      case .barRest: "_"
      }
    guard style.isSelected else { return letter }
    return letter == "." ? "#" : letter == "-" ? "+" : letter.uppercased()
  }
}

/// Widths are the C library's, which goes by the locale.
func useUTF8() { setlocale(LC_CTYPE, "C.UTF-8") }
