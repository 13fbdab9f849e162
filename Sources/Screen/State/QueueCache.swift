import Wire

/// The tracks of the queue that have been asked for, by their place from 0 on: the whole may be long.
public struct QueueCache: Hashable, Sendable {
  public private(set) var entries: [Int: QueueEntry] = [:]
  /// The queue is another by now; what is here is shown until the new one has come.
  private(set) var isStale = true
  /// The place that is being asked for.
  private(set) var asked: Int?

  public subscript(place: Int) -> QueueEntry? { entries[place] }

  mutating func expire() { isStale = true }

  /// The place to ask for so that these are known, where that is not on its way.
  mutating func next(for places: Range<Int>) -> Int? {
    guard asked == nil, let missing = places.first(where: { isStale || entries[$0] == nil && $0 < end })
    else {
      return nil
    }
    let page = missing / Methods.queuePage * Methods.queuePage
    asked = page
    // What changes from now on is not in the answer.
    if isStale { (isStale, willReplace, end) = (false, true, .max) }
    return page
  }

  private var willReplace = false
  /// Where the queue ended when it was asked: nothing behind is asked for again.
  private var end = Int.max

  /// An answer; nil: there was none.
  mutating func take(_ new: [QueueEntry]?) {
    guard let first = asked else { return }
    asked = nil
    let count = new?.count ?? 0
    if count < Methods.queuePage { end = min(end, first + count) }
    if willReplace, new != nil { entries = [:] }
    willReplace = false
    for entry in new ?? [] { entries[entry.place - 1] = entry }
  }

  /// The engine has gone: nothing is on its way.
  mutating func forget() { self = QueueCache() }
}
