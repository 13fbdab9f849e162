/// What the pages of an Ogg file say without being decoded (RFC 3533 §6).
enum OggPages {
  /// The position of the last whole page, in frames: where a file that was cut short really ends. An upper bound, nil
  /// where no page is found near the end.
  static func lastFrame(of file: AudioFile) -> Int64? { lastPage(of: file)?.position }

  /// Whether other streams follow behind the first one's end (RFC 3533 §4, chaining).
  static func isChained(_ file: AudioFile) -> Bool {
    guard let last = lastPage(of: file) else { return false }
    let head = file.peek(at: 0, 18)
    return head.count == 18 && serial(head[...]) != last.serial
  }

  private static func lastPage(of file: AudioFile) -> (position: Int64, serial: UInt32)? {
    // A page has at most 65,307 bytes; the last one may be cut, and some bear no position.
    let tail = file.peek(at: max(0, file.size - 262_144), 262_144)
    var at = tail.count - 27
    while at >= 0 {
      defer { at -= 1 }
      guard tail[at] == UInt8(ascii: "O"), tail[at...].starts(with: "OggS\0".utf8) else { continue }
      let position = tail[(at + 6)..<(at + 14)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      // All ones: no packet ends on this page.
      guard let frames = Int64(exactly: position) else { continue }
      return (frames, serial(tail[at...]))
    }
    return nil
  }

  private static func serial(_ page: ArraySlice<UInt8>) -> UInt32 {
    page.dropFirst(14).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
