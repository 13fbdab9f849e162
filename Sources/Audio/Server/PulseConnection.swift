import CPulse
import Glibc
import Platform

/// One connection to the sound server, with everything that is asked on it: made, used and closed by one thread.
///
/// It looks where libpulse looks (`PULSE_SERVER`, the runtime folder). (`pa_mainloop`, `pa_context`)
final class PulseConnection {
  private let loop: OpaquePointer
  let context: OpaquePointer
  /// Until when everything waits at most, whatever the server does; nil: for ever.
  private let deadline: ContinuousClock.Instant?

  /// For a few questions by a worker; nil where no server answers in time. No server is ever started by it.
  convenience init?(until deadline: ContinuousClock.Instant) {
    var reason = ""
    self.init("alarm", server: nil, flags: PA_CONTEXT_NOAUTOSPAWN, until: deadline, &reason)
  }

  /// For what plays there: nil where no server answers, with the reason in words. Where one hangs it is under way for half
  /// a minute, libpulse's own patience with each question. Where libpulse is set up so it starts one.
  ///
  /// - Parameters:
  ///   - name: what people who look at the server's clients see.
  ///   - server: libpulse's name of it; nil: the usual one.
  convenience init?(_ name: String, server: String?, _ reason: inout String) {
    self.init(name, server: server, flags: PA_CONTEXT_NOFLAGS, until: nil, &reason)
  }

  private init?(
    _ name: String, server: String?, flags: pa_context_flags_t, until deadline: ContinuousClock.Instant?,
    _ reason: inout String
  ) {
    guard let loop = pa_mainloop_new() else { return nil }
    guard let context = pa_context_new(pa_mainloop_get_api(loop), name) else {
      pa_mainloop_free(loop)
      return nil
    }
    (self.loop, self.context, self.deadline) = (loop, context, deadline)
    guard pa_context_connect(context, server, flags, nil) >= 0,
      wait(while: { reveille_pulse_is_ready(context) == 0 })
    else {
      reason = self.reason
      return nil
    }
  }

  deinit {
    pa_context_disconnect(context)
    pa_context_unref(context)
    pa_mainloop_free(loop)
  }

  /// The server is gone, or has thrown us out.
  var isLost: Bool { reveille_pulse_is_lost(context) != 0 }

  /// It is a server of this machine, whose clock is ours.
  var isLocal: Bool { pa_context_is_local(context) == 1 }

  /// What libpulse says went wrong last.
  var reason: String {
    let words = pa_strerror(pa_context_errno(context)).map { String(cString: $0) } ?? ""
    return clean(words.prefix(1).lowercased() + words.dropFirst())
  }

  /// Waits for an operation; false where it did not come to its end in time or could not be begun.
  ///
  /// - Parameter patience: how long at most, besides the connection's own deadline.
  func finish(_ operation: OpaquePointer?, within patience: Duration? = nil) -> Bool {
    guard let operation else { return false }
    defer { pa_operation_unref(operation) }
    let isDone = wait(within: patience) { reveille_pulse_is_running(operation) != 0 }
    // Its callback must not be called when what it writes to is gone.
    if !isDone { pa_operation_cancel(operation) }
    return isDone
  }

  /// Goes on until `condition` is false; false where it still held when the time was over or the server gone.
  func wait(within patience: Duration? = nil, while condition: () -> Bool) -> Bool {
    let own = patience.map { ContinuousClock.now + $0 }
    let until = [deadline, own].compactMap { $0 }.min()
    while condition() {
      if isLost || !turn(until: until) { return false }
    }
    return true
  }

  /// Waits until all has been sent: what a socket does not hold goes only when the server has taken what is in it.
  func send(within patience: Duration) {
    _ = wait(within: patience) { pa_context_is_pending(context) != 0 }
  }

  /// Sends what there is room for and takes what has come, and waits for nothing.
  func pass() {
    // A server that never ceases to talk must not keep this here.
    for _ in 0..<1000 where pa_mainloop_iterate(loop, 0, nil) <= 0 { return }
  }

  /// One round of the loop; false once the time is over.
  private func turn(until deadline: ContinuousClock.Instant?) -> Bool {
    var patience: Int32 = -1
    if let deadline {
      let left = deadline - .now
      guard left > .zero else { return false }
      patience = Int32(clamping: max(1000, left.microseconds))
    }
    guard pa_mainloop_prepare(loop, patience) >= 0, pa_mainloop_poll(loop) >= 0 else { return false }
    return pa_mainloop_dispatch(loop) >= 0
  }
}
