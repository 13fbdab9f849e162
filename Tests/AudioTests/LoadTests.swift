import Glibc
import Harness
import Platform
import Testing

@Suite("Playing while the machine is busy", .serialized)
struct LoadTests {
  /// Ten seconds; the soak takes a minute (`SOAK_SECONDS`).
  @Test("With four busy processes nothing runs dry, and the recording has no gap")
  func busy() throws {
    let seconds = Double(currentEnvironment()["SOAK_SECONDS"] ?? "") ?? 10
    let server = try PulseServer(isFavoured: true)
    let music = server.folder.file("music.flac")
    // Half a swing above zero everywhere: a gap would be one sample of zero.
    try runOrThrow([
      "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", music.text, "synth", "\(seconds + 10)", "sine",
      "440", "vol", "0.3", "dcshift", "0.5",
    ])
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(coldStart)
    let recording = try server.record()
    let busy = try (0..<4).map { _ in
      try spawn(["sh", "-c", "while :; do :; done"], environment: server.environment, descriptors: [])
    }
    letPass(seconds)
    for process in busy {
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
    }
    let samples = try recording.stop().samples
    #expect(samples.count > Int(seconds * 40_000))
    // What the recorder itself began with is the server's.
    let gaps = samples.dropFirst(4800).count { $0 < 0.1 }
    #expect(gaps == 0, "\(gaps) samples of silence")
    #expect(try probe.status()["underruns"] == "0")
    try probe.quit()
  }
}
