import CLinux
import Glibc
import Platform

/// `alarm help sounds`: the sounds that have a name.
enum HelpSounds {
  struct Sound: Hashable {
    /// The file's name without its ending; what `--sound` takes.
    let name: String
    let file: FileName
  }

  /// The sounds in the given folders. Of two with one name the first folder's counts, as it does when an alarm rings.
  static func find(in folders: [String]) -> [Sound] {
    var found: [String: Sound] = [:]
    for folder in folders {
      guard let base = FileName(bytes: Array(folder.utf8)) else { continue }
      for name in names(in: folder) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0,
          endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()),
          let title = String(validating: name[..<dot], as: UTF8.self), title != "silence", found[title] == nil
        else { continue }
        found[title] = Sound(name: title, file: base.appending(name))
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  static func lines(_ paths: Paths) -> [String] {
    let sounds = find(in: paths.soundFolders)
    var lines = ["Sounds for --sound NAME and for the setting alarm.sound:", ""]
    let size = sounds.map { Columns.width(clean($0.name)) }.max() ?? 0
    for sound in sounds {
      lines.append("  \(Columns.padded(clean(sound.name), to: size))  \(sound.file.shown)")
    }
    if sounds.isEmpty { lines.append("  none was found; an alarm without one plays a tone of its own") }
    lines += ["", "Your own go to \(clean(paths.data))/sounds."]
    return lines
  }

  /// The sounds that come with the program.
  private static let described = [
    "dawn": "a slow chord that brightens, with a few bells; the default",
    "chimes": "a descending peal of bells",
    "harp": "broken chords on plucked strings", "surf": "waves on a shore",
    "beeps": "the bedside clock, for those who sleep through everything else",
  ]

  private static let endings: Set<String> = ["flac", "ogg", "opus", "oga", "wav", "mp3", "aiff", "aif"]

  private static func names(in folder: String) -> [[UInt8]] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      names.append(name)
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
