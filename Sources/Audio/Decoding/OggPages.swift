/// What the pages of an Ogg file say without being decoded (RFC 3533 §6).
enum OggPages {
  /// The position of the last whole page, in frames: where a file that was cut short really ends. An upper bound, nil
  /// where no page is found near the end.
  static func lastFrame(of file: AudioFile) -> Int64? { lastPages(of: file, 1).first?.position }

  /// The position at which the last page begins, in frames; 0 where there is no page before it.
  static func startOfLastPage(of file: AudioFile) -> Int64 {
    lastPages(of: file, 2).dropFirst().first?.position ?? 0
  }

  /// Whether other streams follow behind the first ones' end (RFC 3533 §4, chaining).
  static func isChained(_ file: AudioFile) -> Bool {
    guard let last = lastPages(of: file, 1).first else { return false }
    // Streams that run beside each other all begin before the first of them goes on: pages with the bit 2 set.
    var at: Int64 = 0
    for _ in 0..<32 {
      let head = file.peek(at: at, 27)
      guard head.count == 27, head.starts(with: "OggS".utf8), head[5] & 2 != 0 else { return true }
      if serial(head[...]) == last.serial { return false }
      let segments = file.peek(at: at + 27, Int(head[26]))
      at += 27 + Int64(segments.count) + segments.reduce(0) { $0 + Int64($1) }
    }
    return false
  }

  /// At most `count` pages with a position, from the last one backwards.
  private static func lastPages(of file: AudioFile, _ count: Int) -> [(position: Int64, serial: UInt32)] {
    // A page has at most 65,307 bytes; the last one may be cut, and some bear no position.
    let tail = file.peek(at: max(0, file.size - 262_144), 262_144)
    var found: [(position: Int64, serial: UInt32)] = []
    var at = tail.count - 27
    while at >= 0, found.count < count {
      defer { at -= 1 }
      guard tail[at] == UInt8(ascii: "O"), tail[at...].starts(with: "OggS\0".utf8) else { continue }
      let position = tail[(at + 6)..<(at + 14)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      // All ones: no packet ends on this page.
      if let frames = Int64(exactly: position) { found.append((frames, serial(tail[at...]))) }
    }
    return found
  }

  private static func serial(_ page: ArraySlice<UInt8>) -> UInt32 {
    page.dropFirst(14).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
