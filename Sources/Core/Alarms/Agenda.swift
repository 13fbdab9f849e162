import Schedule

/// The next wall-clock due of every alarm, soonest first.
///
/// A sorted array: finding a place is a binary search, and moving 100 000 entries of 16 bytes is 20 µs, so nothing
/// cleverer is needed. Many changes at once are merged by sorting once.
struct Agenda: Sendable {
  struct Entry: Hashable, Comparable, Sendable {
    var instant: Instant
    var alarm: Int
    static func < (left: Entry, right: Entry) -> Bool {
      (left.instant, left.alarm) < (right.instant, right.alarm)
    }
  }

  private(set) var entries: [Entry] = []

  mutating func insert(_ entry: Entry) {
    let place = index(of: entry)
    if place < entries.count, entries[place] == entry { return }
    entries.insert(entry, at: place)
  }

  mutating func insert(contentsOf several: [Entry]) {
    guard several.count > 32 else {
      for entry in several { insert(entry) }
      return
    }
    entries.append(contentsOf: several)
    entries.sort()
  }

  mutating func remove(_ entry: Entry) {
    let place = index(of: entry)
    if place < entries.count, entries[place] == entry { entries.remove(at: place) }
  }

  /// Takes out the entries of these alarms.
  mutating func removeAll(of alarms: Set<Int>) { entries.removeAll { alarms.contains($0.alarm) } }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Takes out all that are due at or before an instant, soonest first.
  mutating func takeDue(at instant: Instant) -> [Entry] {
    let place = index(of: Entry(instant: Instant(microseconds: instant.microseconds + 1), alarm: Int.min))
    guard place > 0 else { return [] }
    let due = Array(entries[..<place])
    entries.removeFirst(place)
    return due
  }

  /// Where the entry is, or would be.
  private func index(of entry: Entry) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
