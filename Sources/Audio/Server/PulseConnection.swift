import CPulse
import Glibc
import Platform

/// One connection to the sound server, for a few questions: made, asked and closed by one worker's thread.
///
/// Everything waits at most until `deadline`, whatever the server does. No server is ever started by it, and it looks
/// where libpulse looks (`PULSE_SERVER`, the runtime folder). (`pa_mainloop`, `pa_context`)
final class PulseConnection {
  private let loop: OpaquePointer
  let context: OpaquePointer
  private let deadline: ContinuousClock.Instant

  /// nil where no server answers in time.
  init?(until deadline: ContinuousClock.Instant) {
    guard let loop = pa_mainloop_new() else { return nil }
    guard let context = pa_context_new(pa_mainloop_get_api(loop), "alarm") else {
      pa_mainloop_free(loop)
      return nil
    }
    (self.loop, self.context, self.deadline) = (loop, context, deadline)
    guard pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return nil }
    while reveille_pulse_is_ready(context) == 0 {
      if reveille_pulse_is_lost(context) != 0 || !turn() { return nil }
    }
  }

  deinit {
    pa_context_disconnect(context)
    pa_context_unref(context)
    pa_mainloop_free(loop)
  }

  /// Waits for an operation; false where it did not come to its end in time or could not be begun.
  func finish(_ operation: OpaquePointer?) -> Bool {
    guard let operation else { return false }
    defer { pa_operation_unref(operation) }
    while reveille_pulse_is_running(operation) != 0 {
      if reveille_pulse_is_lost(context) != 0 || !turn() {
        // Its callback must not be called when what it writes to is gone.
        pa_operation_cancel(operation)
        return false
      }
    }
    return true
  }

  /// One round of the loop; false once the time is over.
  private func turn() -> Bool {
    let left = deadline - .now
    guard left > .zero else { return false }
    guard pa_mainloop_prepare(loop, Int32(clamping: max(1000, left.microseconds))) >= 0,
      pa_mainloop_poll(loop) >= 0
    else { return false }
    return pa_mainloop_dispatch(loop) >= 0
  }
}
