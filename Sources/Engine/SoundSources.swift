import Audio
import Glibc
import Platform

/// Turns what a person names (files, folders, playlists, names of the program's sounds) into files, in order. Reads
/// folders and may hang on a disk: for workers.
struct SoundSources: Sendable {
  private static let endings = [".ogg", ".flac", ".wav", ".opus", ".mp3", ""]

  /// Where sounds with a name lie, best first.
  let soundFolders: [String]

  /// The files that `text` (`FileName.text`, or a sound's name) stands for; never empty.
  func files(of text: String) throws(AudioError) -> [FileName] { try expandSources([try name(of: text)]) }

  /// The file, folder or playlist that `text` means.
  func name(of text: String) throws(AudioError) -> FileName {
    guard let file = FileName(text: text) else {
      throw AudioError(
        .unreadable,
        "“\(clean(text, atMost: 200))” is not a path: give a file, a folder, a playlist or a sound's name")
    }
    if file.isAbsolute { return file }
    if let named = named(text) { return named }
    throw AudioError(
      .unreadable,
      "there is no sound called “\(clean(text, atMost: 200))”: “alarm help sounds” lists them, and a file is given by its path"
    )
  }

  /// The file of a sound of the program.
  func named(_ name: String) -> FileName? {
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".." else { return nil }
    for folder in soundFolders {
      for ending in SoundSources.endings {
        let path = "\(folder)/\(name)\(ending)"
        if access(path, R_OK) == 0 { return FileName(text: path) }
      }
    }
    return nil
  }

  /// Makes sure that what a person chose can be heard: it is found, and its first file can be decoded.
  func check(_ text: String) throws(AudioError) {
    let files = try files(of: text)
    var first: AudioError?
    // In a folder one file that can be played is enough.
    for file in files.prefix(8) {
      do {
        _ = try readTrackInfo(file)
        return
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }
}
