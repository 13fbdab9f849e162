import Platform
import Testing

@Suite("Text and names from outside")
struct TextTests {
  @Test(
    "Nothing that passes can move a cursor, end a line or turn the text around it",
    arguments: [
      ("plain", "plain"), ("Grüße 日本 🕰", "Grüße 日本 🕰"), ("", ""),
      ("a\u{1b}[31mb", "a\u{fffd}[31mb"), ("a\u{9b}31mb", "a\u{fffd}31mb"),
      ("a\u{7f}b\u{0}c", "a\u{fffd}b\u{fffd}c"),
      ("a\nb\r\tc", "a b  c"), ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"),
      ("abc\u{202e}fed", "abc\u{fffd}fed"), ("\u{2066}x\u{2069}", "\u{fffd}x\u{fffd}"),
      ("a\u{200e}\u{61c}b", "a\u{fffd}\u{fffd}b"), ("a\u{e0041}b", "a\u{fffd}b"), ("\u{feff}x", "\u{fffd}x"),
      ("e\u{301}", "e\u{301}"),
    ])
  func cleaned(_ text: String, _ expected: String) {
    #expect(clean(text) == expected)
    #expect(clean(clean(text)) == expected)
  }

  @Test("Long text is cut and says so")
  func cut() {
    #expect(clean("abc", atMost: 3) == "abc")
    #expect(clean("abcd", atMost: 3) == "abc…")
    #expect(clean("\u{1b}bcd", atMost: 2) == "\u{fffd}b…")
    #expect(clean(String(repeating: "x", count: 1 << 20), atMost: 60).count == 61)
  }

  @Test(
    "A path comes back from its text as it was, whatever its bytes",
    arguments: [
      "/a/b.flac", "/with space/ü.ogg", "/100%/x", "/file:/x", "relative", "/new\nline", "/esc\u{1b}",
    ])
  func validNames(_ path: String) throws {
    let name = try #require(FileName(bytes: Array(path.utf8)))
    #expect(name.text == path)
    #expect(FileName(text: name.text) == name)
    #expect(FileName(text: name.uri)?.bytes == (path.hasPrefix("/") ? name.bytes : nil))
  }

  @Test("Bytes that are no UTF-8 travel as a URI and come back; shown they are repaired")
  func oddNames() throws {
    for seed in 1...255 {
      let bytes: [UInt8] = [47, UInt8(seed), 0xff, 0xc3, 0x28, 37]
      let name = try #require(FileName(bytes: bytes))
      #expect(name.text.hasPrefix("file://"))
      #expect(FileName(text: name.text)?.bytes == bytes)
      #expect(name.shown == clean(name.shown))
    }
  }

  @Test("What is no path is none")
  func noNames() {
    #expect(FileName(bytes: []) == nil)
    #expect(FileName(bytes: [47, 0, 65]) == nil)
    #expect(FileName(text: "file://host/x") == nil)
    #expect(FileName(text: "file:///a%2") == nil)
    #expect(FileName(text: "file:///a%zz") == nil)
    #expect(FileName(text: "file:///a%00b") == nil)
    #expect(FileName(text: "file://localhost/x")?.bytes == Array("/x".utf8))
  }

  @Test("A relative path is seen from its folder, ~/ from home")
  func absolute() throws {
    let folder = try #require(FileName(text: "/music"))
    #expect(FileName(text: "a.ogg")?.absolute(from: folder, home: "/home/me").text == "/music/a.ogg")
    #expect(FileName(text: "~/a.ogg")?.absolute(from: folder, home: "/home/me").text == "/home/me/a.ogg")
    #expect(FileName(text: "/x/a.ogg")?.absolute(from: folder, home: "/home/me").text == "/x/a.ogg")
  }
}
