import Platform

/// Waits a moment until something is known that is being asked: a bus that is greeted, a service that answers.
final class Settling {
  private let isSettled: () -> Bool
  private var timer: TimerSource?
  private var done: ((Settling) -> Void)?
  private let end: Int64

  static let patience: Int64 = 1_500_000
  private static let pause: Int64 = 20_000

  /// `done` is called once, on the loop, after `patience` (µs) at the latest.
  init(
    _ loop: EventLoop, patience: Int64 = Settling.patience, _ isSettled: @escaping () -> Bool,
    then done: @escaping (Settling) -> Void
  ) {
    (self.isSettled, self.done) = (isSettled, done)
    end = Clocks.monotonicMicroseconds() + patience
    timer = try? TimerSource(loop, .monotonic) { [weak self] in self?.look() }
  }

  func begin() { look() }

  private func look() {
    let now = Clocks.monotonicMicroseconds()
    if let timer, !isSettled(), now < end { return timer.arm(atMicroseconds: now + Settling.pause) }
    timer?.disarm()
    let told = done
    done = nil
    told?(self)
  }
}
