import Synchronization

/// That something is to be played which a worker still looks at. It is over once a person asks the player for something
/// else: what was asked for last counts, however long an older request takes.
final class PlayOrder: Sendable {
  /// Written by the loop, read by the worker, which then need not go on.
  private let over = Atomic<Bool>(false)

  var isOver: Bool { over.load(ordering: .relaxed) }

  func end() { over.store(true, ordering: .relaxed) }
}
