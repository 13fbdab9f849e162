import CLinux
import Glibc

/// Tells when the wall clock was set: a timer on CLOCK_REALTIME with TFD_TIMER_CANCEL_ON_SET, which the kernel cancels
/// at every discontinuous change (timerfd_settime(2)). A suspend counts as one.
public final class ClockWatch {
  private let timer: Descriptor
  private var source: DescriptorSource?

  public init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    timer = Descriptor(
      owning: try check("cannot make a timer") {
        timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
      })
    arm()
    source = try DescriptorSource(loop, timer.number, .reading) { [weak self] _ in
      guard let self else { return }
      var expirations: UInt64 = 0
      _ = read(timer.number, &expirations, 8)
      arm()
      handler()
    }
  }

  private func arm() {
    // As far away as the kernel takes: it is never meant to expire, only to be cancelled.
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(Int32.max) * 1000
    _ = timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &setting, nil)
  }
}
