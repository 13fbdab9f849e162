import Audio
import Glibc
import Harness
import Platform
import Testing

@Suite("Files that cannot be played")
struct BadInputTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("A missing file is named, and so is one below something that is no folder")
  func missing() throws {
    let file = folder.file("gone.flac")
    #expect(
      refusal(file)
        == AudioError(.unreadable, "“\(file.shown)” does not exist; check the name and the folder"))
    let plain = try folder.write([1], to: folder.file("plain"))
    let below = plain.appending(Array("x.wav".utf8))
    #expect(refusal(below)?.description == "“\(below.shown)” does not exist; check the name and the folder")
  }

  @Test("A file that may not be read is refused with the kernel's reason")
  func unreadable() throws {
    let file = try SoundFiles.make(.wav16, in: folder, seconds: 0.1)
    chmod(file.shown, 0)
    // root may read anything: the calling thread alone becomes somebody else for a moment.
    let refused = try asNobody {
      chmod(folder.path, 0o755)
      return refusal(file)
    }
    #expect(
      refused
        == AudioError(.unreadable, "“\(file.shown)” may not be read: permission denied; allow it with chmod"))
  }

  @Test("A folder, a pipe, a socket and a device are refused at once, without waiting for a writer")
  func special() throws {
    #expect(
      refusal(folder.file(""))?.description == "“\(folder.path)/” is a folder; name an audio file in it")
    let pipe = folder.file("pipe.wav")
    mkfifo(pipe.shown, 0o600)
    #expect(
      refusal(pipe)
        == AudioError(.undecodable, "“\(pipe.shown)” is a pipe, not a file; save the sound to a file first"))
    #expect(
      FileName(text: "/dev/zero").map(refusal)??.description
        == "“/dev/zero” is a device, not a file; save the sound to a file first")
    let loop = folder.file("loop.wav")
    symlink(loop.shown, loop.shown)
    #expect(
      refusal(loop)?.description
        == "“\(loop.shown)” cannot be read: too many levels of symbolic links; mend that and try again")
  }

  @Test("An empty file is called empty")
  func empty() throws {
    let file = try folder.write([], to: folder.file("empty.mp3"))
    #expect(refusal(file) == AudioError(.undecodable, "“\(file.shown)” is empty; copy or download it again"))
  }

  @Test(
    "What is no audio at all is refused as such, whatever its name",
    arguments: ["x.mp3", "x.flac", "x.ogg", "x.wav", "x"], [1, 3, 100, 5000, 200_000])
  func noise(name: String, size: Int) throws {
    var random = Random(seed: UInt64(size))
    let file = try folder.write(random.bytes(size), to: folder.file(name))
    #expect(
      refusal(file)
        == AudioError(
          .undecodable,
          "“\(file.shown)” is not audio of a known kind; name another file, or convert it, e.g. to FLAC or Ogg"
        ))
  }

  @Test(
    "Kinds that are known and cannot be decoded are called by their names",
    arguments: [
      ("x.m4a", ["-c:a", "aac"], "AAC/M4A"), ("x.aac", ["-c:a", "aac", "-f", "adts"], "AAC"),
      ("x.wv", ["-c:a", "wavpack"], "WavPack"), ("x.wma", ["-c:a", "wmav2"], "Windows Media"),
      ("x.mka", ["-c:a", "flac"], "Matroska/WebM"), ("x.tta", ["-c:a", "tta"], "True Audio"),
    ])
  func foreign(row: (name: String, options: [String], kind: String)) throws {
    let wave = SoundFiles.wave(SoundFiles.samples(frames: 20_000, channels: 2), rate: 44_100, channels: 2)
    let file = folder.file(row.name)
    try runOrThrow(["ffmpeg", "-v", "error", "-i", "pipe:0"] + row.options + [file.shown], input: wave)
    #expect(
      refusal(file)
        == AudioError(
          .undecodable, "“\(file.shown)”: \(row.kind) cannot be decoded; convert it, e.g. to FLAC or Ogg"))
  }

  @Test(
    "A file of which only the beginning of the header is left is called damaged",
    arguments: [
      (SoundFiles.Kind.wav16, 20, "a WAV file"), (.flac16, 30, "a FLAC file"), (.vorbis, 60, "an Ogg file"),
      (.opus, 40, "an Ogg file"), (.aiff16, 15, "an AIFF file"),
    ])
  func stub(row: (kind: SoundFiles.Kind, size: Int, like: String)) throws {
    let whole = try readFile(try SoundFiles.make(row.kind, in: folder, seconds: 0.2, rate: 48_000).shown)
    let file = try folder.write(Array(whole.prefix(row.size)), to: folder.file("stub"))
    #expect(
      refusal(file)
        == AudioError(
          .undecodable,
          "“\(file.shown)” begins like \(row.like) but is damaged, cut short or of a rare sort; copy it again, "
            + "or convert it, e.g. to FLAC or Ogg"))
  }

  @Test("A header without sound behind it is refused", arguments: [SoundFiles.Kind.wav16, .flac16])
  func soundless(kind: SoundFiles.Kind) throws {
    let whole = try readFile(try SoundFiles.make(kind, in: folder, seconds: 1).shown)
    let size = kind == .flac16 ? whole.count - whole.count / 40 * 39 : 44
    let head = kind == .flac16 ? try #require(flacHeader(whole)) : Array(whole.prefix(size))
    let file = try folder.write(head, to: folder.file("head"))
    #expect(
      refusal(file)
        == AudioError(
          .undecodable,
          "“\(file.shown)” holds no sound that can be decoded: it is empty, damaged or cut short; copy it again"
        ))
  }

  @Test(
    "A header that claims nonsense is refused before anything is allocated for it",
    arguments: [(2, 10), (2, 1 << 30)])
  func absurd(channels: Int, rate: Int) throws {
    let file = try folder.write(
      SoundFiles.wave([Float](repeating: 0, count: 4096), rate: rate, channels: channels),
      to: folder.file("absurd.wav"))
    #expect(
      refusal(file)
        == AudioError(
          .undecodable,
          "“\(file.shown)” claims \(channels) channels at \(rate) Hz, which cannot be played "
            + "(1 to 32 channels, 1000 to 768000 Hz); it is damaged: copy it again"))
  }

  @Test(
    "A name with line breaks, escapes and invalid UTF-8 never reaches a sentence raw",
    arguments: [[], [1, 2, 3], Array("\0\0\0 ftypM4A ".utf8), Array("fLaC".utf8), nil] as [[UInt8]?])
  func names(bytes: [UInt8]?) throws {
    let file = folder.file(Array("a\n\u{1b}]0;x\u{7}\u{202e}".utf8) + [0xff, 0x9b, 0x32, 0x4a])
    if let bytes { try folder.write(bytes, to: file) }
    let sentence = try #require(refusal(file)).description
    #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
    #expect(!sentence.unicodeScalars.contains("\u{202e}"))
    #expect(sentence.contains("a \u{fffd}]0;x"))
  }

  @Test("A float file with what is no number in it plays on with silence there")
  func notANumber() throws {
    let file = try SoundFiles.make(.wavFloat, in: folder, seconds: 0.1)
    var bytes = try readFile(file.shown)
    for at in stride(from: bytes.count - 400, to: bytes.count - 4, by: 40) {
      bytes.replaceSubrange(at..<(at + 4), with: [0, 0, at % 80 == 0 ? 0xc0 : 0x80, 0x7f])
    }
    try folder.write(bytes, to: file)
    #expect(try decodeAll(try openDecoder(file)).allSatisfy { $0.isFinite })
  }

  /// Everything up to the last block of metadata (RFC 9639 §8.1).
  private func flacHeader(_ bytes: [UInt8]) -> [UInt8]? {
    var at = 4
    while at + 4 < bytes.count {
      let size = bytes[(at + 1)...(at + 3)].reduce(0) { $0 << 8 | Int($1) }
      let isLast = bytes[at] & 0x80 != 0
      at += 4 + size
      if isLast { return Array(bytes[..<at]) }
    }
    return nil
  }
}

/// Runs `body` as a user with no rights where the tests run as root; only this thread is another (setfsuid(2)).
private func asNobody<Result>(_ body: () -> Result) throws -> Result {
  typealias SetFileUser = @convention(c) (UInt32) -> Int32
  guard geteuid() == 0 else { return body() }
  let symbol = try #require(dlsym(nil, "setfsuid"))
  let setFileUser = unsafeBitCast(symbol, to: SetFileUser.self)
  _ = setFileUser(65_534)
  defer { _ = setFileUser(0) }
  return body()
}
