import CLinux

/// A timer on CLOCK_REALTIME_ALARM: when it goes off, the sleeping machine wakes (timerfd_create(2)). It is never read.
struct WakingTimer {
  private var descriptor: Int32 = -1

  /// Sets it to an instant in seconds of CLOCK_REALTIME, at once where that has passed; nil: it is none any more. 0, or the
  /// errno value of what stands in the way.
  mutating func set(_ seconds: Int64?) -> Int32 {
    if descriptor < 0 {
      descriptor = timerfd_create(CLOCK_REALTIME_ALARM, Int32(TFD_CLOEXEC))
      if descriptor < 0 { return reveille_errno() }
    }
    // Without a clock that can wake the machine the kernel makes such a timer all the same, and does not wake it; only the
    // time of that clock cannot be had.
    var now = timespec()
    if clock_gettime(CLOCK_REALTIME_ALARM, &now) != 0 { return EOPNOTSUPP }
    guard let seconds else {
      _ = close(descriptor)
      descriptor = -1
      return 0
    }
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(seconds)
    return timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 ? 0 : reveille_errno()
  }
}
