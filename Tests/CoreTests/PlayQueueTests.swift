import Schedule
import Testing

@testable import Core

@Suite("The queue of the player")
struct PlayQueueTests {
  private func tracks(_ names: String) -> [Track] { names.map { Track(path: "/\($0)") } }
  private func names(_ queue: PlayQueue) -> String {
    queue.tracks.map { String($0.path.dropFirst()) }.joined()
  }

  /// The queue's tracks in the order in which they would be played from the present one on, at most `limit`.
  private func heard(_ queue: PlayQueue, limit: Int = 20) -> String {
    var queue = queue
    var result = ""
    while result.count < limit, let place = queue.index ?? queue.first {
      result += String(queue.tracks[place].path.dropFirst())
      queue.index = place
      guard let next = queue.following(byItself: true) else { break }
      queue.go(to: next)
    }
    return result
  }

  @Test(
    "What follows goes by repeat",
    arguments: [(Repeat.off, "cd"), (.one, "cccccc"), (.all, "cdabcd")])
  func repeats(mode: Repeat, expected: String) {
    var queue = PlayQueue(tracks("abcd"))
    queue.index = 2
    queue.repeats = mode
    #expect(heard(queue, limit: 6) == expected)
  }

  @Test("A person's next leaves a track that repeats")
  func nextOfOne() {
    var queue = PlayQueue(tracks("ab"))
    queue.index = 0
    queue.repeats = .one
    #expect(queue.following(byItself: false) == 1)
  }

  @Test(
    "Shuffled, every track comes once, the present one first, and off again it is as before",
    arguments: 0..<20)
  func shuffled(seed: UInt64) {
    var queue = PlayQueue(tracks("abcdefgh"), seed: seed)
    queue.index = 3
    queue.shuffle()
    let order = heard(queue)
    #expect(order.first == "d")
    #expect(order.sorted() == Array("abcdefgh"))
    #expect(names(queue) == "abcdefgh")
    queue.unshuffle()
    #expect(heard(queue) == "defgh")
  }

  @Test("Shuffled and repeated, each round plays the others once before any comes again", arguments: 0..<20)
  func rounds(seed: UInt64) {
    var queue = PlayQueue(tracks("abcde"), seed: seed)
    queue.repeats = .all
    queue.shuffle()
    queue.go(to: queue.first ?? 0)
    let order = Array(heard(queue, limit: 21))
    // The last of a round is the first of the next.
    for start in stride(from: 0, through: 16, by: 4) {
      #expect(order[start..<start + 5].sorted() == Array("abcde"), "\(String(order))")
    }
  }

  @Test("What is added to a shuffled queue comes after what plays", arguments: 0..<20)
  func addedToShuffled(seed: UInt64) {
    var queue = PlayQueue(tracks("abcd"), seed: seed)
    queue.shuffle()
    queue.go(to: queue.following(byItself: true) ?? 0)
    let before = queue.index.map { queue.tracks[$0].path }
    queue.append(tracks("ef"))
    queue.insertNext(tracks("xy"))
    let order = heard(queue)
    #expect("/" + order.prefix(1) == before)
    #expect(order.dropFirst().prefix(2) == "xy")
    #expect(order.contains("e") && order.contains("f"))
  }

  @Test(
    "Moving keeps what plays",
    arguments: [(0, 3, "bcda", 0), (3, 0, "dabc", 2), (1, 2, "acbd", 2), (2, 2, "abcd", 1)])
  func moves(from: Int, to target: Int, expected: String, index: Int) {
    var queue = PlayQueue(tracks("abcd"))
    queue.index = 1
    queue.move(from: from, to: target)
    #expect(names(queue) == expected)
    #expect(queue.index == index)
    #expect(queue.track?.path == "/b")
  }

  @Test(
    "Taken out, the next one that is left takes the place of what played",
    arguments: [
      ([0], "bcd", "/c", false), ([2], "abd", "/d", true), ([2, 3], "ab", nil, true),
      ([0, 1, 2, 3], "", nil, true),
    ])
  func removes(places: [Int], expected: String, track: String?, wasPresent: Bool) {
    var queue = PlayQueue(tracks("abcd"))
    queue.index = 2
    let removed = queue.remove(Set(places))
    #expect(removed == wasPresent)
    #expect(names(queue) == expected)
    #expect(queue.track?.path == track)
  }

  @Test(
    "Whatever is done, the present entry is in the queue and the order is one of all its places",
    arguments: 0..<200)
  func invariants(seed: UInt64) {
    var random = SplitMix(state: seed)
    var queue = PlayQueue(tracks("abc"), seed: seed)
    for step in 0..<60 {
      let some = queue.count == 0 ? 0 : Int.random(in: 0..<queue.count, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: queue.append(tracks("\(step % 10)"))
      case 1: queue.insertNext(tracks("xy"))
      case 2 where queue.count > 0:
        queue.move(from: some, to: Int.random(in: 0..<queue.count, using: &random))
      case 3: _ = queue.remove([some])
      case 4: queue.shuffle()
      case 5: queue.unshuffle()
      case 6 where queue.count > 0: queue.go(to: some)
      case 7: queue.repeats = Repeat.allCases.randomElement(using: &random) ?? .off
      case 8: if let next = queue.following(byItself: false) { queue.go(to: next) }
      default: break
      }
      #expect(queue.keys.count == queue.tracks.count && Set(queue.keys).count == queue.keys.count)
      if let index = queue.index { #expect(queue.tracks.indices.contains(index)) }
      if let order = queue.order { #expect(order.sorted().elementsEqual(queue.tracks.indices)) }
      #expect((queue.first == nil) == (queue.count == 0))
      #expect(Set(queue.upcoming(99).map(\.path)).count <= queue.count)
    }
  }

  @Test("A stored order comes back, and one that fits no more is another whole order")
  func stored() {
    let queue = PlayQueue(tracks("abc"), order: [2, 0, 1])
    #expect(heard(queue) == "cab")
    #expect(PlayQueue(tracks("abc"), order: [2, 0, 7]).order?.sorted() == [0, 1, 2])
    #expect(PlayQueue(tracks("abc")).order == nil)
  }

  @Test("It counts what changes of its tracks, and not what is played of them")
  func counts() {
    var queue = PlayQueue(tracks("abc"))
    func changes(_ change: (inout PlayQueue) -> Void) -> Int {
      let before = queue.changes
      change(&queue)
      return queue.changes - before
    }
    #expect(changes { $0.append(tracks("d")) } == 1)
    #expect(changes { $0.insertNext(tracks("e")) } == 1)
    #expect(changes { $0.move(from: 0, to: 2) } == 1)
    #expect(changes { _ = $0.remove([1]) } == 1)
    var described = queue.tracks[0]
    described.title = "Aria"
    #expect(changes { $0.describe(described) } == 1)
    #expect(changes { $0.describe(described) } == 0)
    #expect(changes { $0.go(to: 1) } == 0)
    #expect(changes { $0.shuffle() } == 0)
    #expect(changes { $0.clear() } == 1)
  }
}
