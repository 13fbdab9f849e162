/// While the machine sleeps nothing is open.
extension SoundSystem {
  /// Fades everything out and closes the device; every voice keeps its place until `resume`. `done` is called once it is
  /// closed, within this call where it is closed already, and not at all where `resume` comes first or the device hangs.
  public func suspend(then done: @escaping () -> Void) {
    guard ending == nil, !isSuspended else { return done() }
    let isClosed = wish == nil && opened == nil
    isSuspended = true
    stage.send(.suspend(true))
    reconsider()
    if isClosed { done() } else { whenClosed = done }
  }

  /// What sounded before goes on where it was.
  public func resume() {
    guard isSuspended else { return }
    (isSuspended, whenClosed) = (false, nil)
    stage.send(.suspend(false))
    reconsider()
  }

  func deviceClosed() {
    let done = whenClosed
    whenClosed = nil
    done?()
  }
}
