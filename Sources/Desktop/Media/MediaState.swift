/// What a media player shows of itself.
public struct MediaState: Equatable, Sendable {
  public enum Status: String, Sendable { case playing = "Playing", paused = "Paused", stopped = "Stopped" }
  public enum Loop: String, Sendable, CaseIterable {
    case none = "None", track = "Track", playlist = "Playlist"
  }

  public struct Track: Equatable, Sendable {
    /// One for each entry of the queue, and another one where the same file stands in it twice.
    public var entry: Int
    /// A `file:` URL.
    public var url: String
    public var title: String
    public var artist: String
    public var album: String
    /// Microseconds; nil where it is not known.
    public var length: Int64?

    public init(
      entry: Int, url: String, title: String, artist: String = "", album: String = "", length: Int64? = nil
    ) {
      (self.entry, self.url, self.title) = (entry, url, title)
      (self.artist, self.album, self.length) = (artist, album, length)
    }
  }

  public var status = Status.stopped
  public var track: Track?
  /// 0–1.
  public var volume = 1.0
  public var isShuffled = false
  public var loop = Loop.none
  public var canGoNext = false
  public var canGoPrevious = false
  /// There is something to play; desktops hide a player without.
  public var canPlay = true
  public var canSeek = false
  /// The program can be brought to the front.
  public var canRaise = false
  /// The program may be ended from here.
  public var canQuit = false

  public init() {}
}

/// What somebody asks of the player.
public enum MediaCommand: Equatable, Sendable {
  case play, pause, playPause, stop, next, previous
  /// Microseconds from here, back where negative.
  case seek(by: Int64)
  /// Microseconds from the start of the present track.
  case setPosition(Int64)
  /// A file's path, as bytes.
  case open(path: [UInt8])
  /// 0–1.
  case setVolume(Double)
  case setShuffle(Bool)
  case setLoop(MediaState.Loop)
  case raise, quit
}

/// The paths in `file:` URLs as others write them (RFC 8089); paths are bytes. Ours are `FileName.uri`.
public enum FileURL {
  /// nil where it is none of this machine's files.
  public static func path(_ text: String) -> [UInt8]? {
    let lower = text.prefix(7).lowercased()
    var rest: Substring
    if lower.hasPrefix("file://") {
      rest = text.dropFirst(7)
      if rest.lowercased().hasPrefix("localhost/") { rest = rest.dropFirst(9) }
    } else if lower.hasPrefix("file:/") {
      rest = text.dropFirst(5)
    } else {
      rest = text[...]
      guard rest.hasPrefix("/") else { return nil }
      return rest.utf8.contains(0) ? nil : Array(rest.utf8)
    }
    guard rest.hasPrefix("/") else { return nil }
    let bytes = Array(rest.utf8)
    var path: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%") {
        let digits = String(decoding: bytes[place...].dropFirst().prefix(2), as: UTF8.self)
        guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16),
          byte != 0
        else { return nil }
        path.append(byte)
        place += 3
      } else if bytes[place] == UInt8(ascii: "?") || bytes[place] == UInt8(ascii: "#") {
        break
      } else {
        path.append(bytes[place])
        place += 1
      }
    }
    return path.contains(0) ? nil : path
  }
}
