import CALSA
import Platform
import Synchronization

/// Looks whether a device can be opened while another one sounds in its place: opened with all that belongs to it, or a
/// server without a sink would call a ring away from where it is heard.
///
/// On a thread of its own: opening can block for ever behind a dead sound server, and what sounds must not stop for that.
/// One look at a time, so at most one thread is left hanging. `nextLook` belongs to the output's thread.
final class Scout {
  private enum State: UInt8, AtomicRepresentable {
    case idle, looking, found, missing
  }
  private final class Shared: Sendable {
    let state = Atomic<State>(.idle)
  }
  private let shared = Shared()
  private let since: Int64
  private var nextLook: Int64

  /// µs: after a loss the device may still be on its way out. Every second at first, every five after half a minute.
  private static let pause: Int64 = 1_000_000
  private static let longPause: Int64 = 5_000_000
  private static let patience: Int64 = 30_000_000

  init(now: Int64) { (since, nextLook) = (now, now + Scout.pause) }

  var hasFound: Bool { shared.state.load(ordering: .acquiring) == .found }

  /// Looks for it where it is time; rings `bell` once it is there.
  func look(for name: String, _ format: StreamFormat, now: Int64, bell: Bell) {
    guard now >= nextLook else { return }
    let state = shared.state.load(ordering: .acquiring)
    guard state == .idle || state == .missing else { return }
    nextLook = now + (now - since < Scout.patience ? Scout.pause : Scout.longPause)
    shared.state.store(.looking, ordering: .releasing)
    do throws(SystemError) {
      try startThread("alarm-scout") { [shared] in
        let isThere = isAvailable(name, format)
        shared.state.store(isThere ? .found : .missing, ordering: .releasing)
        if isThere { bell.ring() }
      }
    } catch {
      shared.state.store(.missing, ordering: .releasing)
    }
  }
}
