import Audio
import Glibc
import Platform

/// A sound system driven by lines on standard input, for tests that need an environment of their own: alsa-lib reads
/// HOME and libpulse PULSE_SERVER from the process. Everything that is told comes out as a line with the instant
/// (CLOCK_MONOTONIC, µs) before it.
@main
struct SoundProbe {
  static func main() throws {
    blockSignals([SIGPIPE])
    let loop = try EventLoop()
    levelTimer = try TimerSource(loop, .monotonic) { sayLevels() }
    var settings = SoundSettings()
    for word in CommandLine.arguments.dropFirst() { set(&settings, word) }
    let sound = try SoundSystem(loop: loop, settings: settings) { say(describe($0)) }
    Self.sound = sound
    var input: [UInt8] = []
    let standardInput = Descriptor(owning: 0)
    let source = try DescriptorSource(loop, 0, .reading) { _ in
      guard let bytes = try? standardInput.read(4096) else { return }
      if bytes.isEmpty { loop.stop(1) }
      input += bytes
      while let end = input.firstIndex(of: 10) {
        let line = String(decoding: input[..<end], as: UTF8.self)
        input.removeFirst(end + 1)
        obey(line, sound, &settings, loop)
      }
    }
    say("ready")
    let code = try loop.run()
    source.cancel()
    exit(code)
  }

  private static func set(_ settings: inout SoundSettings, _ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    switch parts[0] {
    case "device": settings.device = parts[1]
    case "alarmDevices": settings.alarmDevices = parts[1].split(separator: ",").map(String.init)
    case "rate": settings.rate = parts[1] == "track" ? .track : Int(parts[1]).map { .fixed($0) } ?? .auto
    case "mode": settings.keepAliveMode = parts[1] == "pulse" ? .pulse : .stream
    case "signal": settings.signal = SoundSettings.Signal(rawValue: parts[1]) ?? .auto
    case "interval": settings.interval = .milliseconds(Int(parts[1]) ?? 10_000)
    case "clip": settings.clip = FileName(text: parts[1])
    default: break
    }
  }

  private static func obey(
    _ line: String, _ sound: SoundSystem, _ settings: inout SoundSettings, _ loop: EventLoop
  ) {
    let words = line.split(separator: " ").map(String.init)
    func word(_ index: Int) -> String { index < words.count ? words[index] : "" }
    func seconds(_ index: Int) -> Duration { .milliseconds(Int((Double(word(index)) ?? 0) * 1000)) }
    switch word(0) {
    case "set":
      set(&settings, word(1))
      sound.apply(settings)
    case "keepalive": sound.setKeepAlive(word(1) == "on")
    case "hold": sound.holdOpen(word(1) == "on")
    case "load":
      guard let file = FileName(text: word(1)) else { return }
      sound.load(file, token: UInt64(word(2)) ?? 0, at: seconds(3), startPlaying: word(4) == "play")
    case "next": sound.setNext(FileName(text: word(1)), token: UInt64(word(2)) ?? 0)
    case "play": sound.play()
    case "pause": sound.pause()
    case "stop": sound.stop()
    case "seek": sound.seek(to: seconds(1))
    case "volume": sound.setMusicVolume(Int(word(1)) ?? 100, muted: word(2) == "muted")
    case "ring":
      sound.prepareRing(
        word(1),
        sources: word(2) == "-"
          ? []
          : word(2).split(separator: ",").map { sound in
            sound.split(separator: "+").compactMap { FileName(text: String($0)) }
          },
        volume: Int(word(3)) ?? 100, fade: seconds(4), atMonotonic: Int64(word(5)))
    case "sounding": sound.setRingSounding(word(1), word(2) == "on")
    case "ringvolume": sound.changeRing(word(1), volume: Int(word(2)) ?? 0)
    case "stopring": sound.stopRing(word(1))
    case "status":
      let status = sound.status
      say(
        "status \(status.state.rawValue) device=\(status.device) audible=\(status.audible) rate=\(status.rate)"
          + " channels=\(status.channels) format=\(status.format) opens=\(status.opens)"
          + " streams=\(status.streams) underruns=\(status.underruns) frames=\(status.framesWritten)"
          + " awake=\(status.keepAlive.active) signal=\(status.keepAlive.signal.rawValue) reason=\(status.reason) why=\(status.keepAlive.why)"
      )
    case "levels":
      sound.measureLevels(word(1) == "on")
      levelsAt = Clocks.monotonicMicroseconds()
      if word(1) == "on" { sayLevels() } else { levelTimer?.disarm() }
    case "position": say("position \(sound.position?.description ?? "none")")
    case "quit": sound.shutDown(within: .seconds(1)) { loop.stop(0) }
    default: say("unknown \(line)")
    }
  }

  // Of the one thread.
  nonisolated(unsafe) private static var sound: SoundSystem?
  nonisolated(unsafe) private static var levelTimer: TimerSource?
  nonisolated(unsafe) private static var levelsAt: Int64 = 0

  /// How loud it was since the last line.
  private static func sayLevels() {
    let now = Clocks.monotonicMicroseconds()
    if let left = sound?.levels(after: levelsAt, until: now)?.channels.first {
      say("levels \(left.peak) \(left.rms)")
    }
    levelsAt = now
    levelTimer?.arm(atMicroseconds: now + 20_000)
  }

  private static func describe(_ report: SoundReport) -> String {
    switch report {
    case .loaded(let token, let info): "loaded \(token) \(info.format.rate) \(info.format.channels)"
    case .loadFailed(let token, let error): "loadFailed \(token) \(error)"
    case .trackEnded(let token): "ended \(token)"
    case .damaged(let token, let sentence): "damaged \(token) \(sentence)"
    case .ringStarted(let id, let source, _, let at): "ringStarted \(id) \(source) \(at)"
    case .ringTurned(let id, let source, let file): "ringTurned \(id) \(source) \(file.lastShown)"
    case .ringSourceFailed(let id, let source, let error): "ringSourceFailed \(id) \(source) \(error)"
    case .interrupted(let reason): "interrupted \(reason)"
    case .restored(let shouldResume): "restored \(shouldResume)"
    case .statusChanged: "statusChanged"
    }
  }

  private static func say(_ text: String) {
    let line = Array("\(Clocks.monotonicMicroseconds()) \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
