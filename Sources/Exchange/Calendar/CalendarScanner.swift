/// Cuts a calendar into the components within VCALENDAR (VEVENT, VTODO, VTIMEZONE, …), each unfolded and by itself, so that
/// a broken one takes no other away and libical never sees more than a megabyte at once.
///
/// RFC 5545, 3.1 (lines and their folding) and 3.6 (components).
struct CalendarScanner {
  struct Piece {
    /// In capitals.
    var kind: String
    /// With its BEGIN and END lines; no line is folded.
    var text: [UInt8] = []
    /// Where it begins, counted from 1.
    var line: Int
    /// Why it cannot be read.
    var problem: String?
  }

  static let largestPiece = 1 << 20
  static let deepest = 8

  private let bytes: [UInt8]
  private var place = 0
  private var line = 0
  private(set) var version = ""

  /// The components that are open, VCALENDAR left out.
  private var open: [String] = []
  private var isInCalendar = false
  private var piece: Piece?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next component; nil at the end.
  mutating func next() -> Piece? {
    while place < bytes.count {
      let start = piece?.text.count ?? 0
      let (head, first) = takeLine()
      if let (isBegin, name) = CalendarScanner.mark(head) {
        if let done = isBegin ? begin(name, first, from: start) : end(name) { return done }
      } else if isInCalendar, piece == nil, head.hasPrefix("VERSION:") {
        version = String(head.dropFirst(8).prefix(8))
      }
    }
    return finish("the file ends before its END")
  }

  private mutating func begin(_ name: String, _ line: Int, from start: Int) -> Piece? {
    if name == "VCALENDAR" {
      let broken = finish("a new calendar begins before its END")
      (isInCalendar, open) = (true, [])
      return broken
    }
    guard isInCalendar else { return nil }
    if piece != nil, ["VEVENT", "VTODO", "VTIMEZONE", "VJOURNAL"].contains(name) {
      // Where an END is missing, the next one is not lost with it.
      let own = piece.map { Array($0.text[min(start, $0.text.count)...]) } ?? []
      let broken = finish("its END is missing")
      piece = Piece(kind: name, text: own, line: line)
      open = [name]
      return broken
    }
    if piece == nil {
      piece = Piece(kind: name, line: line)
      append(Array("BEGIN:\(name)\r\n".utf8)[...])
    }
    open.append(name)
    if open.count > CalendarScanner.deepest {
      piece?.problem = "it is nested more than \(CalendarScanner.deepest) levels deep"
    }
    return nil
  }

  private mutating func end(_ name: String) -> Piece? {
    guard name != "VCALENDAR" else {
      isInCalendar = false
      return finish("its calendar ends before its own END")
    }
    guard piece != nil else { return nil }
    if open.last == name {
      open.removeLast()
    } else {
      if piece?.problem == nil { piece?.problem = "an END:\(name) stands where none belongs" }
      // As much is closed as it names.
      while let last = open.popLast(), last != name {}
    }
    guard open.isEmpty else { return nil }
    defer { piece = nil }
    return piece
  }

  private mutating func finish(_ problem: String) -> Piece? {
    defer { (piece, open) = (nil, []) }
    if piece?.problem == nil { piece?.problem = problem }
    return piece
  }

  /// Takes a line with all that is folded into it into the open component; its beginning, and its number.
  private mutating func takeLine() -> (head: String, number: Int) {
    var head: [UInt8] = []
    let number = line + 1
    var isFolded = false
    repeat {
      line += 1
      let from = isFolded ? place + 1 : place
      let end = bytes[place...].firstIndex(of: 10) ?? bytes.count
      var content = bytes[min(from, end)..<end]
      while content.last == 13 { content.removeLast() }
      place = end + 1
      if head.count < 80 { head += content.prefix(80 - head.count) }
      append(content)
      isFolded = place < bytes.count && (bytes[place] == 32 || bytes[place] == 9)
    } while isFolded
    append([13, 10])
    return (String(decoding: head, as: UTF8.self).uppercased(), number)
  }

  private mutating func append(_ content: ArraySlice<UInt8>) {
    guard piece != nil, piece?.problem == nil else { return }
    if content.contains(where: { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 }) {
      // A text of C ends at a zero, and no other control belongs here.
      piece?.text += content.map { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 ? 32 : $0 }
    } else {
      piece?.text += content
    }
    if let size = piece?.text.count, size > CalendarScanner.largestPiece {
      piece?.problem = "it is larger than a megabyte"
      piece?.text = []
    }
  }

  private static func mark(_ head: String) -> (isBegin: Bool, name: String)? {
    let isBegin = head.hasPrefix("BEGIN:")
    guard isBegin || head.hasPrefix("END:") else { return nil }
    let name = head.dropFirst(isBegin ? 6 : 4).filter { $0 != " " && $0 != "\t" }
    return (isBegin, name)
  }
}
