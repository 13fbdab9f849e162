import Glibc
import Harness
import Platform
import Testing

@testable import Screen

@Suite("What the page of files reads of a playlist")
struct PlaylistTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func read(_ name: String) throws -> Folder { try Folder.read(folder.file(name)).get() }

  private func refusal(_ name: String) -> String? {
    guard case .failure(let trouble) = Folder.read(folder.file(name)) else { return nil }
    return trouble.sentence
  }

  private func write(_ text: String, to name: String) throws {
    try folder.write(Array(text.utf8), to: folder.file(name))
  }

  @Test("Its entries in their order, each as what it is, and what cannot be had with the reason")
  func entries() throws {
    mkdir(folder.file("sub").shown, 0o700)
    mkfifo(folder.file("pipe.mp3").shown, 0o600)
    try folder.write([1], to: folder.file("b.mp3"))
    try folder.write([1], to: folder.file("sub/a.flac"))
    try write(
      "#EXTM3U\r\nsub\\a.flac\r\nb.mp3\ngone.mp3\n/dev/null\npipe.mp3\nsub\nlist.m3u\nhttp://radio.example/x\nb.mp3\n",
      to: "list.m3u")
    let found = try read("list.m3u")
    #expect(found.isPlaylist && !found.isCut && found.path == folder.file("list.m3u"))
    let shown = found.entries.map { "\($0.kind) \($0.shown) \($0.trouble ?? "")" }
    #expect(
      shown == [
        "track sub/a.flac ", "track b.mp3 ", "track gone.mp3 is not there", "track /dev/null is no file",
        "track pipe.mp3 is no file", "folder sub ", "playlist list.m3u ",
        "track http://radio.example/x a stream cannot be played", "track b.mp3 ",
      ])
    #expect(found.path(of: found.entries[0]) == folder.file("sub/a.flac"))
    try write("[playlist]\nFile2=b.mp3\nFile1=\(folder.path)/sub/a.flac\n", to: "list.PLS")
    #expect(try read("list.PLS").entries.map(\.shown) == ["sub/a.flac", "b.mp3"])
  }

  @Test("Text that means harm is shown harmless, and names keep their bytes")
  func hostile() throws {
    let odd: [UInt8] = [0xff, 0xfe] + Array(" \u{1b}]52;c;x\u{7}.mp3".utf8)
    try folder.write([1], to: folder.file(odd))
    try folder.write(odd + Array("\n\u{9b}31m\u{202e}x.mp3\n".utf8), to: folder.file("list.m3u8"))
    let found = try read("list.m3u8")
    #expect(found.path(of: found.entries[0]) == folder.file(odd) && found.entries[0].trouble == nil)
    for entry in found.entries {
      #expect(
        entry.shown.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) && $0.value != 0x202e
        })
    }
  }

  @Test("What is no file, is too long or has no end is refused or cut, and nothing waits for it")
  func bounds() throws {
    mkdir(folder.file("folder.m3u").shown, 0o700)
    #expect(try !read("folder.m3u").isPlaylist)
    mkfifo(folder.file("pipe.m3u").shown, 0o600)
    #expect(refusal("pipe.m3u")?.contains("cannot be looked into") == true)
    #expect(refusal("gone.m3u")?.contains("cannot be looked into") == true)
    guard case .failure(let trouble) = Folder.read(playlist: folder.file("pipe.m3u")) else {
      Issue.record("a pipe was read")
      return
    }
    #expect(trouble.sentence == "the playlist “\(folder.path)/pipe.m3u” is no file; choose another one")

    let large = try Descriptor.open(folder.file("large.m3u").shown, O_CREAT | O_RDWR)
    ftruncate(large.number, off_t(Playlist.largest + 1))
    #expect(refusal("large.m3u")?.contains("is longer than 16 MiB") == true)

    try write(String(repeating: "x.mp3\n", count: Folder.most + 5), to: "many.m3u")
    let many = try read("many.m3u")
    #expect(many.entries.count == Folder.most && many.isCut)

    try write(String(repeating: "long", count: 300_000), to: "name.m3u")
    let long = try #require(try read("name.m3u").entries.first)
    #expect(long.name.count <= 1000 && long.trouble == "no name is that long")
    try write("", to: "empty.m3u")
    #expect(try read("empty.m3u").entries.isEmpty)
  }
}
