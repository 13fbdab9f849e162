import Audio
import Glibc
import Harness
import Platform
import Testing

@Suite("Files, folders and playlists as tracks")
struct PlaylistTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Makes an empty folder or a file of one byte: expanding looks at names only.
  private func place(_ names: String...) throws {
    for name in names {
      if name.hasSuffix("/") {
        mkdir(folder.file(name).shown, 0o700)
      } else {
        try folder.write([1], to: folder.file(name))
      }
    }
  }

  private func expanded(_ names: String...) throws -> [String] {
    try expandSources(names.map { folder.file($0) }).map(\.shown).map {
      String($0.dropFirst(folder.path.count + 1))
    }
  }

  private func refused(_ names: FileName...) -> String? {
    do throws(AudioError) {
      _ = try expandSources(names)
      return nil
    } catch { return error.description }
  }

  @Test("A folder stands for the music below it in natural order, without hidden files and other things")
  func folders() throws {
    try place(
      "m/", "m/10.flac", "m/2.flac", "m/1.MP3", "m/cover.jpg", "m/.hidden.mp3", "m/list.m3u", "m/noext",
      "m/.mp3", "m/b/",
      "m/b/02.ogg", "m/b/1.opus", "m/b/001.wav", "m/.trash/", "m/.trash/x.mp3", "m/empty/")
    #expect(
      try expanded("m") == ["m/1.MP3", "m/2.flac", "m/10.flac", "m/b/1.opus", "m/b/001.wav", "m/b/02.ogg"])
    #expect(try expanded("m/b/02.ogg", "m/b") == ["m/b/02.ogg", "m/b/1.opus", "m/b/001.wav", "m/b/02.ogg"])
  }

  @Test("A named file is taken whatever its name, and nothing is looked up in it")
  func named() throws {
    try place("anything", "x.txt")
    #expect(try expanded("x.txt", "anything", "x.txt") == ["x.txt", "anything", "x.txt"])
  }

  @Test("Links to folders are followed, and a loop of them ends")
  func loops() throws {
    try place("m/", "m/1.wav", "m/sub/", "m/sub/2.wav", "far/", "far/3.wav")
    symlink("..", folder.file("m/sub/up").shown)
    symlink(folder.file("far").shown, folder.file("m/there").shown)
    symlink("nowhere", folder.file("m/gone.wav").shown)
    #expect(try expanded("m") == ["m/1.wav", "m/sub/2.wav", "m/there/3.wav"])
  }

  @Test("A folder without music, a missing name and a device are refused, each with a sentence")
  func refusals() throws {
    try place("m/", "m/readme.txt")
    let name = folder.file("m")
    #expect(
      refused(name)
        == "the folder “\(name.shown)” holds no music that can be played; name one with WAV, FLAC, Ogg, Opus or MP3 files"
    )
    let gone = folder.file("gone\n.wav")
    #expect(refused(gone) == "“\(folder.path)/gone .wav” does not exist; check the name and the folder")
    let null = try #require(FileName(text: "/dev/null"))
    #expect(refused(null) == "“/dev/null” is a device, not a file; save the sound to a file first")
  }

  @Test("Names keep their bytes: invalid UTF-8, line breaks, blanks")
  func bytes() throws {
    let odd: [[UInt8]] = [[0xff, 0xfe] + Array(".wav".utf8), Array("a\nb.flac".utf8), Array(" x .ogg".utf8)]
    mkdir(folder.file("m").shown, 0o700)
    for name in odd { try folder.write([1], to: folder.file("m").appending(name)) }
    let found = try expandSources([folder.file("m")])
    #expect(Set(found.map { Array($0.bytes.dropFirst(folder.path.utf8.count + 3)) }) == Set(odd))
  }

  @Test(
    "A playlist's entries are seen from its own folder, whatever its line ends, mark, comments and slashes",
    arguments: ["list.m3u", "list.M3U8"])
  func m3u(name: String) throws {
    try place("p/", "p/a.mp3", "p/b c.flac", "p/sub/", "p/sub/d.ogg", "e.wav")
    let absolute = folder.file("e.wav")
    let text =
      "\u{feff}#EXTM3U\r\n#EXTINF:12,A\r\na.mp3\r\n\r\n  b c.flac\r\nsub\\d.ogg\r../e.wav\n\(absolute.shown)\n\(absolute.uri)\n"
      + "file://localhost\(absolute.shown.dropLast(5))p/b%20c.flac\nsub"
    try folder.write(Array(text.utf8), to: folder.file("p/\(name)"))
    #expect(
      try expanded("p/\(name)")
        == [
          "p/a.mp3", "p/b c.flac", "p/sub/d.ogg", "p/../e.wav", "e.wav", "e.wav", "p/b c.flac", "p/sub/d.ogg",
        ])
  }

  @Test("An entry keeps bytes that are no UTF-8")
  func entryBytes() throws {
    let name: [UInt8] = [0xe9, 0x74, 0xe9] + Array(".mp3".utf8)
    try folder.write([1], to: folder.file(name))
    try folder.write(name + [0x0a] + Array("%E9t%E9.mp3\n".utf8), to: folder.file("l.m3u"))
    try folder.write(Array("file://\(folder.path)/%E9t%E9.mp3".utf8), to: folder.file("u.m3u"))
    #expect(try expandSources([folder.file("l.m3u")]) == [folder.file(name)])
    #expect(try expandSources([folder.file("u.m3u")]) == [folder.file(name)])
  }

  @Test("A PLS playlist goes by its numbers")
  func pls() throws {
    try place("1.mp3", "2.mp3", "10.mp3")
    let text =
      "[playlist]\r\nFile10=10.mp3\r\nTitle10=Ten=10\r\nfile2 = 2.mp3\r\nFile1=1.mp3\r\nLength1=3\r\nNumberOfEntries=3\r\n"
    try folder.write(Array(text.utf8), to: folder.file("l.pls"))
    #expect(try expanded("l.pls") == ["1.mp3", "2.mp3", "10.mp3"])
  }

  @Test("A stream is refused with a sentence, given by itself or in a playlist")
  func streams() throws {
    let sentence =
      "“http://radio.example/x\u{fffd}” is a stream, which cannot be played; save it to a file first"
    let url = "http://radio.example/x\u{7}"
    #expect(refused(try #require(FileName(text: url))) == sentence)
    // As a command line makes it absolute.
    #expect(refused(folder.file(url)) == sentence)
    try folder.write(Array("#EXTM3U\n\(url)\n".utf8), to: folder.file("radio.m3u"))
    #expect(refused(folder.file("radio.m3u")) == sentence)
  }

  @Test("What a playlist names and is not there is left out and told; with nothing left it is refused")
  func partly() throws {
    try place("a.mp3")
    try folder.write(Array("gone.mp3\na.mp3\nHTTPS://x.example/\n".utf8), to: folder.file("l.m3u"))
    var complaints: [String] = []
    #expect(try expandSources([folder.file("l.m3u")], complaints: &complaints) == [folder.file("a.mp3")])
    let list = "the playlist “\(folder.path)/l.m3u” names what cannot be had: "
    #expect(
      complaints == [
        list + "“\(folder.path)/gone.mp3” does not exist; check the name and the folder",
        list + "“HTTPS://x.example/” is a stream, which cannot be played; save it to a file first",
      ])
    try folder.write(Array("gone.mp3\n".utf8), to: folder.file("l.m3u"))
    #expect(
      refused(folder.file("l.m3u"))
        == "“\(folder.path)/gone.mp3” does not exist; check the name and the folder")
    try folder.write(Array("#EXTM3U\n".utf8), to: folder.file("l.m3u"))
    #expect(
      refused(folder.file("l.m3u"))
        == "the playlist “\(folder.path)/l.m3u” names no file; put the names of audio files into it")
  }

  @Test("Playlists that name each other end, and their tracks are there once for each time they are named")
  func playlistLoop() throws {
    try place("a.mp3")
    try folder.write(Array("a.mp3\nm.m3u\nl.m3u\n".utf8), to: folder.file("l.m3u"))
    try folder.write(Array("l.m3u\na.mp3\n".utf8), to: folder.file("m.m3u"))
    #expect(try expanded("l.m3u") == ["a.mp3", "a.mp3"])
  }

  @Test("Folders that all lead to each other are walked once each, however many ways there are")
  func crossedFolders() throws {
    for index in 0..<11 { try place("d\(index)/") }
    for index in 0..<11 {
      for other in 0..<11 where other != index {
        symlink("../d\(other)", folder.file("d\(index)/l\(other)").shown)
      }
    }
    try place("d3/a.wav", "d7/b.wav")
    // By the way that the names' order takes.
    #expect(
      try expanded("d0").map { $0.suffix(5) } == ["a.wav", "b.wav"])
    // Named twice it is there twice.
    #expect(try expanded("d0", "d3").count == 4)
  }

  @Test(
    "Playlists that name each other twice at each level end in a moment, with something at the bottom or nothing",
    arguments: [nil, "a.mp3"])
  func doubling(bottom: String?) throws {
    if let bottom { try place(bottom) }
    for level in 0..<40 {
      let next = level < 39 ? "e\(level + 1).m3u" : bottom ?? "nothing.wav"
      try folder.write(Array("\(next)\n\(next)\n".utf8), to: folder.file("e\(level).m3u"))
    }
    let start = processorTime()
    var complaints: [String] = []
    let error = #expect(throws: AudioError.self) {
      try expandSources([folder.file("e0.m3u")], complaints: &complaints)
    }
    #expect(error?.description.hasSuffix("lead to each other again and again; name fewer") == true)
    #expect(processorTime() - start < 5)
  }

  @Test("Of thousands of names that are nothing a hundred are told, and how many more there are")
  func manyMissing() throws {
    try place("a.mp3")
    let text = (0..<5000).map { "gone\($0).mp3\n" }.joined() + "a.mp3\n"
    try folder.write(Array(text.utf8), to: folder.file("l.m3u"))
    var complaints: [String] = []
    #expect(try expandSources([folder.file("l.m3u")], complaints: &complaints) == [folder.file("a.mp3")])
    #expect(complaints.count == 101)
    #expect(complaints.last == "4900 more names in playlists and folders cannot be had")
  }

  @Test("Random bytes for a playlist end in a sentence", arguments: ["x.m3u", "x.pls"])
  func garbage(name: String) throws {
    var random = Random(seed: 3)
    let file = try folder.write(random.bytes(20_000), to: folder.file(name))
    let sentence = try #require(refused(file))
    #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
  }
}
