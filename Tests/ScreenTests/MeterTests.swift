import Testing
import Wire

@testable import Screen

@Suite("The level meter of the player's page")
struct MeterTests {
  private func player(_ choice: MeterChoice = .auto, _ columns: Int = 80, _ rows: Int = 24) -> Model {
    var model = Samples.attached(columns, rows, Samples.playing)
    model.meterChoice = choice
    Samples.press(&model, ["3"])
    return model
  }

  private func wishes(_ effects: [Effect]) -> [LevelsWish] {
    effects.compactMap { if case .request(.levels(let wish)) = $0 { wish } else { nil } }
  }

  @Test("The engine is asked for levels when the page comes to be seen, and for no more when it goes")
  func asks() {
    for (choice, wish) in [(MeterChoice.auto, LevelsWish.onMains), (.on, .always)] {
      var model = Samples.attached(80, 24, Samples.playing)
      model.meterChoice = choice
      #expect(wishes(model.update(.key("3"), at: Samples.now())) == [wish])
      #expect(wishes(model.update(.key("j"), at: Samples.now())) == [])
      #expect(wishes(model.update(.focus(false), at: Samples.now())) == [.never])
      #expect(wishes(model.update(.focus(true), at: Samples.now())) == [wish])
      #expect(wishes(model.update(.resize(Size(columns: 40, rows: 12)), at: Samples.now())) == [.never])
      #expect(wishes(model.update(.resize(Size(columns: 80, rows: 24)), at: Samples.now())) == [wish])
      var status = Samples.status
      Samples.playing(&status)
      status.ringing = [Samples.ring]
      #expect(wishes(model.update(.status(status), at: Samples.now(1))) == [.never])
      status.ringing = []
      #expect(wishes(model.update(.status(status), at: Samples.now(2))) == [wish])
      #expect(wishes(model.update(.key("1"), at: Samples.now(3))) == [.never])
      #expect(wishes(model.update(.key("3"), at: Samples.now(3))) == [wish])
      // The next engine knows nothing of it.
      _ = model.update(.disconnected(nil), at: Samples.now(4))
      #expect(wishes(model.update(.connected, at: Samples.now(5))) == [wish])
    }
    var model = Samples.attached(80, 24, Samples.playing)
    model.meterChoice = .off
    #expect(wishes(model.update(.key("3"), at: Samples.now())) == [])
  }

  @Test("It rises at once and falls evenly, and the peak stays for a second and a half")
  func ballistics() throws {
    var model = player()
    _ = model.update(.levels(Levels(peak: [-6], rms: [-9])), at: Samples.now(1))
    var quiet = Levels(peak: [-60], rms: [-60])
    _ = model.update(.levels(quiet), at: Samples.now(1.5))
    var channel = try #require(model.meter?.channels.first)
    #expect(channel.peak == -18 && channel.rms == -21 && channel.held == -6)
    _ = model.update(.levels(quiet), at: Samples.now(2))
    _ = model.update(.levels(quiet), at: Samples.now(2.5))
    channel = try #require(model.meter?.channels.first)
    #expect(channel.peak == -42 && channel.held == -42)
    quiet.peak = [-3]
    _ = model.update(.levels(quiet), at: Samples.now(2.6))
    #expect(model.meter?.channels.first?.peak == -3)
    #expect(model.meter?.channels.first?.held == -3)
  }

  @Test(
    "It goes when nothing is told any more, in a pause, and with the key; what comes unasked is not shown")
  func goes() {
    let levels = Levels(peak: [-12, -12], rms: [-12, -12])
    var model = player()
    _ = model.update(.levels(levels), at: Samples.now(1))
    #expect(model.meter != nil && model.deadline == Samples.now(1.6).monotonic)
    _ = model.update(.tick, at: Samples.now(1.6))
    #expect(model.meter == nil)

    _ = model.update(.levels(levels), at: Samples.now(2))
    var status = Samples.status
    Samples.playing(&status)
    status.player.state = "paused"
    _ = model.update(.status(status), at: Samples.now(2.1))
    #expect(model.meter == nil)
    _ = model.update(.levels(levels), at: Samples.now(2.2))
    #expect(model.meter == nil)

    model = player()
    _ = model.update(.levels(levels), at: Samples.now(1))
    #expect(wishes(model.update(.key("v"), at: Samples.now(1.1))) == [.never])
    #expect(model.meter == nil && model.message?.text == "The meter is off.")
    #expect(wishes(model.update(.key("v"), at: Samples.now(1.2))) == [.always])

    var clock = Samples.attached(80, 24, Samples.playing)
    _ = clock.update(.levels(levels), at: Samples.now(1))
    #expect(clock.meter == nil)
  }

  @Test("Where none is told on battery, the key turns it on")
  func battery() {
    var model = player()
    #expect(wishes(model.update(.key("v"), at: Samples.now(1))) == [.always])
    #expect(model.message?.text == "The meter is on.")
    var small = player(.off, 40, 12)
    #expect(wishes(small.update(.key("v"), at: Samples.now(1))) == [])
    #expect(small.message?.text == "The meter is on, but has no room here.")
  }

  @Test("Levels that make no sense are drawn within the bar, in any size")
  func hostile() {
    let all: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 0, -100, 12]
    for columns in [40, 41, 80, 1000] {
      var model = player(.on, columns, 24)
      for (index, level) in all.enumerated() {
        for count in [0, 1, 2, 9] {
          let levels = Levels(
            peak: Array(repeating: level, count: count), rms: Array(repeating: all[7 - index], count: count))
          _ = model.update(.levels(levels), at: Samples.now(Double(index) / 10))
          checkInvariants(view(model), "\(columns) \(level) \(count)")
        }
      }
    }
  }

  @Test("A step of the meter writes some hundred bytes at most")
  func frugal() {
    var writer = FrameWriter(FrameWriterTests.brush(.default, .eight))
    var model = player()
    var random = Seeded(7)
    var most = 0
    for step in 0..<100 {
      let peak = (0..<2).map { _ in Double.random(in: -20 ... -4, using: &random) }
      let levels = Levels(peak: peak, rms: peak.map { $0 - 8 })
      _ = model.update(.levels(levels), at: Samples.now(Double(step) / 10))
      let bytes = writer.bytes(for: view(model)).count
      if step > 0 { most = max(most, bytes) }
    }
    #expect(most < 400, "\(most)")
  }
}
