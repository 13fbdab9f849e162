import Synchronization

extension SoundSystem {
  /// Whether it is measured how loud what is heard is; while not, nothing is done for it.
  public func measureLevels(_ on: Bool) { stage.levels.isWanted.store(on, ordering: .relaxed) }

  /// How loud what was heard between two instants (CLOCK_MONOTONIC, µs) was: after the volume, rings included, at the
  /// moment when it reached the ear and not when it was mixed. nil where nothing was measured; a second back at most is known.
  public func levels(after start: Int64, until end: Int64) -> SoundLevels? {
    stage.levels.levels(after: start, until: end)
  }
}
