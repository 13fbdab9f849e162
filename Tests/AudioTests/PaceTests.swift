import Testing

@testable import Audio

/// A device of which nothing counts but what it says of itself.
private final class Said: SoundDevice {
  let format = StreamFormat(rate: 48_000, channels: 2)
  var bufferFrames = 24_000
  var step = 2400
  var given: Int64 = 100_000
  var isPacedByClock: Bool { false }
  var knowsItsLine = true
  var takesWholeSteps = false
  func queued(now: Int64) -> Int { 0 }
  func line(queued: Int, now: Int64, exactly: Bool) -> TimeLine { pacedLine(queued: queued, now: now) }
  var room: Int { .max }
  func give(_ samples: UnsafePointer<Float>, frames: Int, dither: Bool, leastBits: Range<Int>) {}
  func flush() -> Int { 0 }
  func startIfReady(now: Int64) {}
  func pause(_ on: Bool) -> Bool { true }
}

@Suite("How far ahead of the ear a device is kept")
struct PaceTests {
  @Test(
    "Keys are heard within a quarter of a second while something sounds, a track within 450 ms out of silence"
  )
  func tops() {
    let device = Said()
    #expect(Pace(device, busy: true, margin: 0).top <= 48 * 240)
    #expect(Pace(device, busy: false, margin: 0).top <= 48 * 400)
  }

  @Test(
    "What is left for the next turn is the step that is taken next and 40 ms, and more on a machine that is late"
  )
  func lows() {
    let device = Said()
    #expect(Pace(device, busy: true, margin: 0).low(queued: 5000) == 2400 + 1920)
    #expect(Pace(device, busy: true, margin: 100_000).low(queued: 5000) == 2400 + 1920 + 4800)
    #expect(Pace(device, busy: true, margin: 100_000).top == 10_800 + 4800)
  }

  @Test(
    "A device that takes whole steps is given whole ones, and more 40 ms before the last is used up",
    arguments: [true, false])
  func wholeSteps(isBusy: Bool) {
    let device = Said()
    device.step = 4320
    device.takesWholeSteps = true
    let pace = Pace(device, busy: isBusy, margin: 0, even: 3)
    let steps = isBusy ? 2 : 3
    // When a turn comes 40 ms before what is queued is used up, all but the excess has been taken.
    let low = pace.low(queued: steps * 4320 + 192)
    #expect(low == 1920 + 192)
    let room = pace.room(queued: 192, left: low)
    #expect(room == steps * 4320)
    #expect(low + room <= pace.top)
    // One that comes sooner or finds less gives up to a whole step just so.
    #expect(pace.room(queued: 1000, left: 1000 + 1920) == steps * 4320 + 192 - 1000)
    // What is queued from before may be taken with it.
    let first = Pace(device, busy: isBusy, margin: 0, even: 2)
    #expect(first.low(queued: steps * 4320 + 192) == 4320 + 1920)
    #expect(first.isWhole(steps * 4320 + 192) && !first.isWhole(steps * 4320 + 191))
    // And where a part of a step was given, the part is taken into account.
    #expect(pace.low(queued: 4320 + 2000) == 1920 + 2000)
    device.knowsItsLine = false
    let unknown = Pace(device, busy: isBusy, margin: 0, even: 3)
    #expect(unknown.low(queued: 8832) == 4320 + 1920)
    #expect(unknown.middle(queued: 8832) == unknown.top)
    #expect(unknown.room(queued: 192, left: 4512) == unknown.top - 4512)
  }

  @Test(
    "A sound server is asked for a period that is whole frames and whole microseconds at every rate that is in use",
    arguments: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000])
  func periods(rate: Int) {
    #expect(rate * Int(PCM.period(of: .server("PulseAudio"), rate: rate)) % 1_000_000 == 0)
  }

  @Test("Whole steps are those of which eight came one like the other, and one that is none ends that")
  func whole() {
    var whole = WholeSteps()
    var taken: Int64 = 0
    func takes(_ frames: Int64) -> Bool {
      taken += frames
      whole.observe(taken: taken, step: 4320)
      return whole.isSure
    }
    #expect(!takes(77))
    for _ in 1..<8 { #expect(!takes(8640)) }
    #expect(takes(4320 - 80))
    #expect(takes(0))
    #expect(takes(2 * (4320 + 80)))
    #expect(takes(50 * 4320 + 2000), "of very many nothing is known")
    #expect(!takes(4800))
    for _ in 1..<8 { #expect(!takes(4320)) }
    #expect(takes(4320))
    #expect(!takes(-4320))
    whole.forget()
    #expect(!whole.isSure)
  }

  @Test("A small buffer is not asked for more than it holds, and not all the time", arguments: [1024, 4096])
  func small(buffer: Int) {
    let device = Said()
    device.bufferFrames = buffer
    let pace = Pace(device, busy: true, margin: 250_000)
    #expect(pace.top == buffer)
    #expect(pace.low(queued: buffer) <= buffer * 2 / 3)
  }

  @Test(
    "What is on its way is what the line says, within a step of what is queued, and a step more where there is no line",
    arguments: [
      (6000, 93_000, true, 7000), (6000, 95_000, true, 5000), (6000, 99_999, true, 3600),
      (6000, 80_000, true, 8400), (6000, 93_000, false, 8400),
    ])
  func left(queued: Int, heard: Int64, knows: Bool, expected: Int) {
    let device = Said()
    device.knowsItsLine = knows
    #expect(Pace(device, busy: true, margin: 0).left(queued: queued, heard: heard, of: device) == expected)
  }
}
