import CLinux
import Glibc

/// A process that is not our child, held by a descriptor so that another one that gets its number later is not taken for
/// it (pidfd_open(2)).
public final class OtherProcess {
  public let id: pid_t
  /// When it began, in clock ticks since boot (proc(5), `starttime`).
  public let started: Int64
  /// Its name, as the kernel keeps it: sixteen bytes at most.
  public let name: String
  private let handle: Descriptor
  private var source: DescriptorSource?

  /// nil where there is no such process, or it has ended and only waits to be reaped.
  public init?(_ id: pid_t) {
    guard id > 0 else { return nil }
    let number = pidfd_open(id, 0)
    guard number >= 0 else { return nil }
    handle = Descriptor(owning: number)
    self.id = id
    // What stands in /proc now may be of a later process, unless ours still runs afterwards.
    guard let facts = OtherProcess.facts(of: id), (try? waitFor(number, POLLIN, until: 0)) == false else {
      return nil
    }
    (started, name) = facts
  }

  /// Calls `handler` once it has ended, for as long as this object lives.
  public func watch(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    source = try DescriptorSource(loop, handle.number, .reading) { [weak self] _ in
      guard let self, source != nil else { return }
      source?.cancel()
      source = nil
      handler()
    }
  }

  /// The name stands in parentheses and may hold any byte, so what is behind the last one is read.
  private static func facts(of id: pid_t) -> (started: Int64, name: String)? {
    guard let bytes = try? readFile("/proc/\(id)/stat", limit: 4096),
      let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
      open < close
    else { return nil }
    let fields = bytes[(close + 1)...].split(separator: 32)
    // `starttime` is the 22nd field; the first two stand before.
    guard fields.count > 19, let started = Int64(String(decoding: fields[19], as: UTF8.self)) else {
      return nil
    }
    return (started, String(decoding: bytes[(open + 1)..<close], as: UTF8.self))
  }
}
