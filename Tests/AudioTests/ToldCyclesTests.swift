import Harness
import Testing

@testable import Audio

/// A graph of PipeWire's behind its plugin of ALSA, as that tells of it.
private struct Graph {
  /// Frames a second of the device, and how much faster than it says it goes.
  let rate: Int
  var drift = 0.0
  /// Frames of a cycle, as the device counts them.
  var cycle: Double
  /// Frames that the sink says it holds.
  var said: Double
  /// Instant (µs) of frame 0.
  let zero: Int64 = 1_000_000
  private(set) var taken: Int64 = 0
  let queued = 9000
  var written: Int64 { taken + Int64(queued) }

  init(rate: Int, cycle: Double, said: Double = 0) {
    (self.rate, self.cycle, self.said) = (rate, cycle, said)
  }

  func heard(at now: Int64) -> Double {
    Double(now - zero) * Double(rate) / 1_000_000 * (1 + drift)
  }

  /// What is told at an instant when its thread comes `late` (µs) for every cycle.
  mutating func tell(at now: Int64, late: Int64 = 0) -> Int {
    let heard = heard(at: now)
    let begun = ((heard - Double(late) * Double(rate) / 1_000_000) / cycle).rounded(.down) * cycle
    // It is heard when the sink has played what it holds; the monitor of a null sink is one cycle behind.
    taken = max(taken, Int64((begun + cycle + max(cycle, said)).rounded()))
    return queued + max(0, Int((said + cycle - (heard - begun)).rounded()))
  }
}

/// Looks at a graph as an output does: every 29 ms while nothing is known.
private struct Watcher {
  var line: DeviceLine
  var now: Int64 = 3_000_000

  /// How late (µs) a thread wakes that nothing is in the way of.
  private var slack = SeededGenerator(seed: 5)

  init(rate: Int) { line = DeviceLine(rate: rate, taking: Taking(tellsOfCycles: true)) }

  mutating func look(at graph: inout Graph, after nap: Int64, late: Int64 = 0) {
    now += (line.line == nil ? min(nap, 29_000) : nap) + .random(in: 50...200, using: &slack)
    let told = graph.tell(at: now, late: late)
    line.observe(told: told, queued: graph.queued, written: graph.written, now: now)
  }

  /// µs that the line says a frame to be heard too late; nil where there is no line.
  func off(_ graph: Graph) -> Int64? {
    guard let line = line.line else { return nil }
    return line.instant(ofFrame: Int64(graph.heard(at: now).rounded())) - now
  }
}

@Suite("What PipeWire's own plugin tells of its cycles")
struct ToldCyclesTests {
  /// Those of the graph's cycles and rates that there are; a person may allow others.
  private static let graphs = [44_100, 48_000].flatMap { graph in
    [64, 128, 256, 480, 512, 1024, 2048].map { (rate: graph, cycle: $0) }
  }
  /// µs between two looks: any, and such as fall into step with a cycle.
  private enum Naps: CaseIterable {
    case any, cycles, tenths

    /// `cycle` in seconds.
    func next(cycle: Double, using random: inout SeededGenerator) -> Int64 {
      switch self {
      case .any: .random(in: 5000...140_000, using: &random)
      case .cycles: Int64((0.13 / cycle).rounded(.down) * cycle * 1_000_000)
      case .tenths: 100_000
      }
    }
  }

  @Test(
    "Whatever the cycle, however it is looked at, and whether the sink says what it holds, frames are placed within 3.5 ms",
    arguments: graphs)
  func placed(graph shape: (rate: Int, cycle: Int)) {
    var random = SeededGenerator(seed: UInt64(shape.cycle + shape.rate))
    for rate in [44_100, 48_000] {
      let cycle = Double(shape.cycle * rate) / Double(shape.rate)
      for (said, drift) in [(0, 2e-4), (0, -2e-4), (cycle, 2e-4), (cycle + 256, -2e-4), (3 * cycle, 0)] {
        for naps in Naps.allCases {
          var graph = Graph(rate: rate, cycle: cycle, said: said)
          graph.drift = drift
          var watcher = Watcher(rate: rate)
          watcher.now += Int64.random(in: 0..<100_000, using: &random)
          let begin = watcher.now
          while watcher.now - begin < 6_000_000 {
            let nap = naps.next(cycle: cycle / Double(rate), using: &random)
            watcher.look(at: &graph, after: nap)
            let off = watcher.off(graph)
            let what = "\(rate) Hz, says \(said), \(naps), after \(watcher.now - begin) µs"
            if let off { #expect(abs(off) <= 3500, "\(off) µs: \(what)") }
            #expect(off != nil || watcher.now - begin < 2_000_000, "no line: \(what)")
          }
        }
      }
    }
  }

  /// A recorder came, or went.
  @Test(
    "When the cycle changes what is placed before and after it is within 3 ms, and there is a line again within two seconds",
    arguments: [(2048, 512), (512, 2048), (1024, 256), (512, 1024), (64, 2048)], [true, false])
  func changed(cycles: (Int, Int), isNull: Bool) {
    for seed in 1...20 {
      var random = SeededGenerator(seed: UInt64(seed))
      var graph = Graph(rate: 48_000, cycle: Double(cycles.0), said: isNull ? 0 : Double(cycles.0))
      var watcher = Watcher(rate: 48_000)
      for cycle in [cycles.0, cycles.1] {
        graph.cycle = Double(cycle)
        if !isNull { graph.said = graph.cycle }
        let begin = watcher.now
        while watcher.now - begin < 4_000_000 {
          watcher.look(at: &graph, after: Int64.random(in: 80_000...140_000, using: &random))
          let off = watcher.off(graph)
          if let off { #expect(abs(off) <= 3000, "\(off) µs, \(watcher.now - begin) µs after the change") }
          #expect(off != nil || watcher.now - begin < 2_000_000)
        }
      }
    }
  }

  @Test("A thread of its that comes up to 6 ms late on a busy machine changes nothing", arguments: [0, 1024])
  func late(said: Double) {
    var random = SeededGenerator(seed: 11)
    var graph = Graph(rate: 48_000, cycle: 1024, said: said)
    var watcher = Watcher(rate: 48_000)
    for look in 0..<1000 {
      let late: Int64 = look % 5 == 0 ? .random(in: 0...6000, using: &random) : 0
      watcher.look(at: &graph, after: .random(in: 20_000...140_000, using: &random), late: late)
      let off = watcher.off(graph)
      if let off { #expect(abs(off) <= 4000, "\(off) µs") }
      #expect(off != nil || look < 30)
    }
  }

  @Test("A graph that stands still is no line")
  func standing() {
    var line = DeviceLine(rate: 48_000, taking: Taking(tellsOfCycles: true))
    for step in 1...40 {
      line.observe(told: 21_000, queued: 20_000, written: 40_000, now: Int64(step) * 50_000)
    }
    #expect(line.line == nil)
  }

  @Test("Before the cycle is settled a guess is no farther off than a cycle")
  func guessed() {
    var graph = Graph(rate: 48_000, cycle: 1024)
    var watcher = Watcher(rate: 48_000)
    watcher.look(at: &graph, after: 29_000)
    #expect(watcher.line.line == nil)
    let guess = watcher.line.estimate(queued: graph.queued, written: graph.written, now: watcher.now)
    #expect(abs(guess.instant(ofFrame: Int64(graph.heard(at: watcher.now))) - watcher.now) <= 22_000)
  }
}
