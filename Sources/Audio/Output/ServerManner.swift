import Platform
import Synchronization

/// How the sound server behind a device takes what it is given: asked once, when the device was opened.
///
/// By a thread of its own, because a server that hangs answers when it wants to, and what is opened is to sound meanwhile.
/// libpulse's own way to the server is taken, which is that of ALSA's `pulse` plugin where its configuration names no
/// other.
final class ServerManner: Sendable {
  /// Nothing yet, PipeWire, or µs that the sink renders at once.
  private let answer = Atomic<Int64>(unknown)
  private static let unknown: Int64 = -1
  private static let pipeWire: Int64 = -2

  /// Where no thread can be had it is not asked.
  static func ask() -> ServerManner {
    let result = ServerManner()
    try? startThread("alarm-server") {
      guard let rhythm = SoundServer.askForRhythm() else { return }
      result.answer.store(
        rhythm.isPipeWire ? pipeWire : rhythm.block > 0 ? rhythm.block : unknown, ordering: .relaxed)
    }
    return result
  }

  /// What is known by now. `least`: frames of a period.
  func taking(least: Int, rate: Int) -> Taking {
    let answer = answer.load(ordering: .relaxed)
    return Taking(
      least: least, block: answer > 0 ? Int(answer) * rate / 1_000_000 : nil,
      goesByCycles: answer == ServerManner.pipeWire)
  }
}
