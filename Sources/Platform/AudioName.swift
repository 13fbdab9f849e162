/// What the name of a file says of the music in it.
public enum AudioName {
  /// Whether it ends like a kind of audio that can be decoded.
  public static func isTrack(_ name: [UInt8]) -> Bool { ending(name).map(tracks.contains) ?? false }

  /// Whether it ends like a playlist (`.m3u`, `.m3u8`, `.pls`).
  public static func isPlaylist(_ name: [UInt8]) -> Bool { ending(name).map(playlists.contains) ?? false }

  private static func ending(_ name: [UInt8]) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  private static let tracks: Set<String> = [
    "wav", "wave", "w64", "rf64", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "fla", "ogg", "oga",
    "opus",
    "mp3", "mp2", "mp1", "mpga",
  ]
  private static let playlists: Set<String> = ["m3u", "m3u8", "pls"]

  /// Natural order of names as bytes: runs of digits by their value, everything else byte by byte.
  public static func comesBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    var (l, r) = (left[...], right[...])
    while let a = l.first, let b = r.first {
      if isDigit(a), isDigit(b) {
        let (x, y) = (l.prefix(while: isDigit), r.prefix(while: isDigit))
        let (p, q) = (x.drop { $0 == UInt8(ascii: "0") }, y.drop { $0 == UInt8(ascii: "0") })
        // A longer number without leading noughts is a greater one; no number is too long for that.
        if p.count != q.count { return p.count < q.count }
        if !p.elementsEqual(q) { return p.lexicographicallyPrecedes(q) }
        (l, r) = (l.dropFirst(x.count), r.dropFirst(y.count))
      } else if a != b {
        return a < b
      } else {
        (l, r) = (l.dropFirst(), r.dropFirst())
      }
    }
    if l.isEmpty != r.isEmpty { return l.isEmpty }
    return left.lexicographicallyPrecedes(right)
  }
}
