/// What follows when the last track of the queue, or the present one, has ended.
public enum Repeat: String, CaseIterable, Hashable, Sendable {
  case off, one, all
}

/// The ordered tracks, which of them is the present one, and in which order they are played.
///
/// A pure value. Each entry has a key of its own for as long as it is in the queue, so that two entries of the same file,
/// or one that is moved, are not mistaken for each other.
public struct PlayQueue: Hashable, Sendable {
  public private(set) var tracks: [Track] = []
  /// The entries' keys, in the order of `tracks`.
  public private(set) var keys: [Int] = []
  /// Which track is the present one; nil before the first was begun and after the last.
  public var index: Int?
  public var repeats = Repeat.off
  /// The keys in the order of playing, where that is not the order of the tracks.
  private(set) var turns: [Int]?
  /// Grows whenever there are other tracks, they stand in another order, or more is known of one.
  public private(set) var changes = 0
  private var nextKey = 1
  private var random: SplitMix

  /// - Parameters:
  ///   - order: places of `tracks` in the order of playing; nil: as they stand. Passed over where it is no permutation.
  public init(_ tracks: [Track] = [], order: [Int]? = nil, seed: UInt64 = 0) {
    random = SplitMix(state: seed)
    append(tracks)
    if let order {
      let isWhole = order.sorted().elementsEqual(tracks.indices)
      turns = isWhole ? order.map { keys[$0] } : []
      if !isWhole { shuffle() }
    }
  }

  public var count: Int { tracks.count }
  public var isShuffled: Bool { turns != nil }
  public var track: Track? { index.map { tracks[$0] } }
  /// The present entry's key.
  public var key: Int? { index.map { keys[$0] } }

  /// Places of `tracks` in the order of playing, where that is another than theirs.
  public var order: [Int]? {
    guard let turns else { return nil }
    let places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    return turns.compactMap { places[$0] }
  }

  // MARK: What comes before and after

  /// The place that is played first; nil in an empty queue.
  public var first: Int? { turns.map { $0.first.flatMap(place(ofKey:)) } ?? (tracks.isEmpty ? nil : 0) }

  /// The place that is played after the present one. `byItself`: nobody asked for another, so that one track may repeat.
  public func following(byItself: Bool) -> Int? {
    guard let index else { return first }
    if byItself, repeats == .one { return index }
    return step(from: index, by: 1) ?? (repeats == .all ? first : nil)
  }

  /// The place that is played before the present one.
  public var preceding: Int? {
    guard let index else { return first }
    if let place = step(from: index, by: -1) { return place }
    return repeats == .all ? turns.map { $0.last.flatMap(place(ofKey:)) } ?? tracks.indices.last : nil
  }

  /// The present track and what is played after it, `count` at most.
  public func upcoming(_ count: Int) -> [Track] {
    var walk = self
    var result: [Track] = []
    var places: Set<Int> = []
    while result.count < count, let place = walk.index ?? walk.first, places.insert(place).inserted {
      result.append(tracks[place])
      walk.index = place
      guard let next = walk.following(byItself: false) else { break }
      walk.index = next
    }
    return result
  }

  public func place(ofKey key: Int) -> Int? { keys.firstIndex(of: key) }

  private func step(from index: Int, by step: Int) -> Int? {
    guard let turns else { return tracks.indices.contains(index + step) ? index + step : nil }
    guard let turn = turns.firstIndex(of: keys[index]), turns.indices.contains(turn + step) else {
      return nil
    }
    return place(ofKey: turns[turn + step])
  }

  // MARK: Changing it

  public mutating func replace(by tracks: [Track]) {
    let wasShuffled = isShuffled
    clear()
    append(tracks)
    if wasShuffled { shuffle() }
  }

  public mutating func clear() {
    (tracks, keys, index) = ([], [], nil)
    changes += 1
    if isShuffled { turns = [] }
  }

  /// At the end; where the order is shuffled, somewhere in what is still to be played.
  public mutating func append(_ tracks: [Track]) {
    let new = insert(tracks, at: count)
    guard turns != nil else { return }
    let begin = key.flatMap { turns?.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    for key in new {
      let end = turns?.count ?? 0
      turns?.insert(key, at: Int.random(in: begin...end, using: &random))
    }
  }

  /// Behind the present one, in the order of playing too.
  public mutating func insertNext(_ tracks: [Track]) {
    let turn = key.flatMap { turns?.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let new = insert(tracks, at: index.map { $0 + 1 } ?? 0)
    turns?.insert(contentsOf: new, at: turn)
  }

  private mutating func insert(_ new: [Track], at place: Int) -> [Int] {
    let newKeys = Array(nextKey..<nextKey + new.count)
    nextKey += new.count
    changes += 1
    tracks.insert(contentsOf: new, at: place)
    keys.insert(contentsOf: newKeys, at: place)
    if let index, place <= index { self.index = index + new.count }
    return newKeys
  }

  /// Takes the entry at one place to another; the present one stays the present one.
  public mutating func move(from: Int, to target: Int) {
    let present = key
    tracks.insert(tracks.remove(at: from), at: target)
    keys.insert(keys.remove(at: from), at: target)
    index = present.flatMap(place(ofKey:))
    changes += 1
  }

  /// Takes entries out. Where the present one is among them, what would have been played after it takes its place, or
  /// nothing does. True in that case.
  public mutating func remove(_ places: Set<Int>) -> Bool {
    let gone = Set(places.filter(keys.indices.contains).map { keys[$0] })
    let wasPresent = key.map(gone.contains) ?? false
    var present = key
    if wasPresent {
      let order = turns ?? keys
      let turn = key.flatMap { order.firstIndex(of: $0) } ?? 0
      present = order[turn...].first { !gone.contains($0) }
    }
    tracks = zip(tracks, keys).filter { !gone.contains($1) }.map(\.0)
    keys.removeAll(where: gone.contains)
    turns?.removeAll(where: gone.contains)
    changes += 1
    index = present.flatMap(place(ofKey:))
    return wasPresent
  }

  /// Plays in a random order from now on, the present one first.
  public mutating func shuffle() {
    var rest = keys
    rest.shuffle(using: &random)
    guard let key else {
      turns = rest
      return
    }
    turns = [key] + rest.filter { $0 != key }
  }

  /// The random order begins with this place.
  mutating func begin(at place: Int) {
    guard keys.indices.contains(place), let turns else { return }
    self.turns = [keys[place]] + turns.filter { $0 != keys[place] }
  }

  /// Plays in the order of the tracks again.
  public mutating func unshuffle() { turns = nil }

  /// Makes a place the present one. Where everything is repeated in a random order, each round has an order of its own.
  public mutating func go(to place: Int) {
    index = place
    if repeats == .all, let turns, turns.count > 2, turns.last == keys[place] { shuffle() }
  }

  /// Tags of a file were read.
  public mutating func describe(_ track: Track) {
    for place in tracks.indices where tracks[place].path == track.path && tracks[place] != track {
      tracks[place] = track
      changes += 1
    }
  }
}

/// Numbers that look random and follow from their seed (Steele, Lea, Flood: “Fast splittable pseudorandom number
/// generators”, 2014).
struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
