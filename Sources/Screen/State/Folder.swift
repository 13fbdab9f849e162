import Platform

/// What a folder holds, or a playlist names, in the order in which it is shown.
public struct Folder: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case folder, playlist, track
    }

    /// The bytes of its name in the folder, or of what the playlist calls it.
    public let name: [UInt8]
    public let kind: Kind
    /// Where it lies, where that is not by its name in the folder.
    public let place: FileName?
    /// Why it cannot be played: what a playlist names need not be there.
    public let trouble: String?

    public init(name: [UInt8], kind: Kind, place: FileName? = nil, trouble: String? = nil) {
      (self.name, self.kind, self.place, self.trouble) = (name, kind, place, trouble)
    }

    var shown: String { clean(String(decoding: name, as: UTF8.self)) }
  }

  public var path: FileName
  public var entries: [Entry]
  /// There is more than is shown.
  public var isCut: Bool
  public var isPlaylist: Bool

  public init(path: FileName, entries: [Entry], isCut: Bool = false, isPlaylist: Bool = false) {
    (self.path, self.entries, self.isCut, self.isPlaylist) = (path, entries, isCut, isPlaylist)
  }

  func path(of entry: Entry) -> FileName { entry.place ?? path.appending(entry.name) }
}

/// Why a folder cannot be shown, as a sentence.
public struct FolderTrouble: Error, Hashable, Sendable {
  public let sentence: String
  public init(_ sentence: String) { self.sentence = sentence }
}

/// Where the screen looks for things on the disk.
public struct Places: Hashable, Sendable {
  public var home: FileName
  /// The working folder: relative names are seen from it.
  public var current: FileName
  /// Where browsing begins.
  public var music: FileName
  /// The sounds that come with the program, where they are found, and their names.
  public var sounds: FileName?
  public var soundNames: [String]

  public init(
    home: FileName, current: FileName, music: FileName, sounds: FileName? = nil, soundNames: [String] = []
  ) {
    (self.home, self.current, self.music) = (home, current, music)
    (self.sounds, self.soundNames) = (sounds, soundNames)
  }
}

extension FileName {
  /// The folder above; nil at the root.
  var parent: FileName? {
    let parts = bytes.split(separator: UInt8(ascii: "/"))
    guard isAbsolute, !parts.isEmpty else { return nil }
    let above = parts.dropLast().flatMap { [UInt8(ascii: "/")] + $0 }
    return FileName(bytes: above.isEmpty ? [UInt8(ascii: "/")] : above)
  }

  /// The last part's bytes.
  var lastPart: [UInt8] { bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [] }
}

extension Places {
  /// Where nothing is known.
  public static var root: Places {
    guard let root = FileName(bytes: [UInt8(ascii: "/")]) else { preconditionFailure("“/” is a path") }
    return Places(home: root, current: root, music: root)
  }
}
