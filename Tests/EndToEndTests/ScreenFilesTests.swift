import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Playlists on the screen's page of files", .serialized)
struct ScreenFilesTests {
  @Test("Enter on a track that cannot be opened says why, and what plays in its place")
  func brokenTrack() throws {
    let world = try World(sound: .pulse)
    try world.makeAlbum()
    let album = world.folder.path + "/home/Music/Album"
    try replaceFile("\(album)/2 second.wav", with: Array("no music".utf8))
    try world.must("play", album)
    let screen = try world.screen(columns: 240)
    try screen.type("3")
    try screen.see("3 third")
    try screen.type("gj\r")
    try screen.see("second.wav” is not audio of a known kind")
    try screen.see("in its place: playing 3 third.wav")
    #expect(try world.status().queue.index == 2)
  }

  @Test(
    "A playlist is opened as a folder is, plays as a whole and from one entry on, and marks what is missing",
    arguments: TerminalKind.allCases)
  func playlist(_ kind: TerminalKind) throws {
    let world = try World(sound: .pulse)
    try world.makeAlbum()
    let music = world.folder.path + "/home/Music"
    let list = "#EXTM3U\nAlbum/3 third.wav\ngone \u{1b}[2J.mp3\nAlbum/1 first.wav\nAlbum/2 second.wav\n"
    try replaceFile(music + "/mine.m3u", with: Array(list.utf8))
    let screen = try world.screen(kind)
    try screen.type("4")
    try screen.see("≡ mine.m3u")
    try screen.type("/mine\r\r")
    try screen.see("all of it")
    try screen.wait(until: "what is missing is marked", within: .seconds(20)) { lines in
      lines.contains { $0.contains("gone") && $0.contains("is not there") }
    }
    // Enter twice plays it all, without what is missing.
    try screen.type("\r")
    try world.waitForStatus("all of it") {
      $0.queue.length == 3 && $0.player.track?.path.hasSuffix("3 third.wav") == true
    }
    try screen.type("/first\r\r")
    try world.waitForStatus("from one entry on") {
      $0.queue.length == 2 && $0.player.track?.path.hasSuffix("1 first.wav") == true
    }
    try screen.type("/second\ra")
    try world.waitForStatus("one entry more") { $0.queue.length == 3 }
    try screen.type("/gone\r\r")
    try screen.see("mp3”: is not there")
    // Up leads out of it, with the playlist selected.
    try screen.type("h")
    // The playlist's own lines begin with the folder's name too.
    try screen.see("≡ mine.m3u")
    try screen.type("a")
    try world.waitForStatus("all of it is added") { $0.queue.length == 6 }
  }
}
