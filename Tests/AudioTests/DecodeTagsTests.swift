import Audio
import Harness
import Platform
import Testing

@Suite("What files say of themselves")
struct DecodeTagsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Title, artist and album come from every format that has them, whatever the script",
    arguments: [SoundFiles.Kind.flac16, .vorbis, .opus, .mp3, .wav16, .aiff16])
  func tags(kind: SoundFiles.Kind) throws {
    // RIFF's and AIFF's tags are of no certain encoding.
    let plain = kind == .wav16 || kind == .aiff16
    let title = plain ? "Morning" : "Утро — 朝 ☀"
    var tags = [("title", title), ("artist", "Grieg")]
    if !plain { tags.append(("album", "Peer Gynt")) }
    let file = try SoundFiles.make(kind, in: folder, seconds: 0.5, rate: 48_000, tags: tags)
    let info = try readTrackInfo(file)
    #expect(info.tags.title == title)
    #expect(info.title == title)
    #expect(info.tags.artist == "Grieg" || kind == .aiff16)
    #expect(info.tags.album == (plain ? "" : "Peer Gynt"))
    #expect(info.duration == 0.5)
  }

  @Test("Without a title, or with one of blanks, the file's name stands for it", arguments: ["", "  "])
  func untitled(title: String) throws {
    let file = try SoundFiles.make(.flac16, in: folder, named: "wake up.flac", tags: [("title", title)])
    #expect(try readTrackInfo(file).title == "wake up.flac")
  }

  @Test("A tag comes raw, and its title is shown without what could move a cursor")
  func hostile() throws {
    let file = try SoundFiles.make(
      .flac16, in: folder, seconds: 0.2, tags: [("title", "a\u{1b}[2Jb\u{202e}c")])
    let info = try readTrackInfo(file)
    #expect(info.tags.title == "a\u{1b}[2Jb\u{202e}c")
    #expect(info.title == "a\u{fffd}[2Jb\u{fffd}c")
  }

  @Test("ID3v1 fills what ID3v2 leaves open, in UTF-8 where it is valid and else in Latin-1")
  func firstID3() throws {
    let made = try SoundFiles.make(.mp3, in: folder, seconds: 0.5)
    func field(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
      bytes + [UInt8](repeating: bytes.count % 2 == 0 ? 0 : 0x20, count: count - bytes.count)
    }
    let tag =
      Array("TAG".utf8) + field([0xc9, 0x74, 0xe9], 30) + field(Array("Été".utf8), 30)
      + field(Array("Live".utf8), 30)
      + field(Array("1999".utf8), 4) + [UInt8](repeating: 0, count: 30) + [12]
    let file = try folder.write(try readFile(made.shown) + tag, to: folder.file("first.mp3"))
    let tags = try readTrackInfo(file).tags
    #expect(tags.title == "Été")
    #expect(tags.artist == "Été")
    #expect(tags.album == "Live")
  }

  @Test("An MP3 behind an ID3v2 tag with a picture of a megabyte, and a FLAC file behind one, are told apart")
  func prefixed() throws {
    let mp3 = try readFile(try SoundFiles.make(.mp3, in: folder, seconds: 0.5).shown)
    let flac = try readFile(try SoundFiles.make(.flac16, in: folder, seconds: 0.5).shown)
    let size = 1 << 20
    let tag =
      Array("ID3".utf8) + [4, 0, 0] + [
        UInt8(size >> 21), UInt8(size >> 14 & 127), UInt8(size >> 7 & 127), UInt8(size & 127),
      ]
      + [UInt8](repeating: 0, count: size)
    let first = try folder.write(tag + mp3, to: folder.file("tagged"))
    let second = try folder.write(tag + flac, to: folder.file("tagged as well"))
    #expect(try decodeAll(try openDecoder(first)).count == 22_050 * 2)
    #expect(try decodeAll(try openDecoder(second)) == decodeAll(try openDecoder(folder.file("flac16.flac"))))
  }
}
