import Platform

extension Playlist {
  static func read(_ name: FileName) throws(AudioError) -> [Entry] {
    let file = try AudioFile(name)
    guard file.size <= largest else {
      throw AudioError(
        .undecodable, "the playlist “\(name.shown)” is longer than 16 MiB; name the files or a folder instead"
      )
    }
    return entries(of: file.peek(at: 0, Int(file.size)), kind: Kind(name) ?? .m3u, beside: name)
  }
}
