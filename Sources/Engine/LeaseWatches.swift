import Core
import Glibc
import Platform

/// The processes that leases last as long as.
final class LeaseWatches {
  private let loop: EventLoop
  private let ended: (_ lease: Int) -> Void
  private var watched: [Int: OtherProcess] = [:]
  private var gone: [Int] = []
  private var later: DeferredSource?

  /// `ended` is called once for each lease whose process is no more, never from within `update`.
  init(_ loop: EventLoop, ended: @escaping (_ lease: Int) -> Void) throws(SystemError) {
    (self.loop, self.ended) = (loop, ended)
    later = try DeferredSource(loop) { [weak self] in self?.tell() }
  }

  /// Watches for the processes of these leases and no others.
  func update(_ leases: [Lease]) {
    for id in watched.keys where !leases.contains(where: { $0.id == id }) { watched[id] = nil }
    for lease in leases where watched[lease.id] == nil && !gone.contains(lease.id) {
      guard let wanted = lease.process else { continue }
      guard let process = OtherProcess(wanted.id), process.started == wanted.started,
        wanted.bootID == Clocks.bootID()
      else {
        // It ended while no engine looked, or its number is another's now.
        miss(lease.id)
        continue
      }
      do {
        try process.watch(loop) { [weak self] in
          self?.watched[lease.id] = nil
          self?.ended(lease.id)
        }
        watched[lease.id] = process
      } catch {
        Log.warning("\(error); the lease \(lease.id) goes on until its time is over")
      }
    }
  }

  private func miss(_ lease: Int) {
    gone.append(lease)
    later?.schedule()
  }

  private func tell() {
    let over = gone
    gone = []
    for lease in over { ended(lease) }
  }
}
