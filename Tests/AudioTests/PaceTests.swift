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
    #expect(Pace(device, busy: true, margin: 0).low == 2400 + 1920)
    #expect(Pace(device, busy: true, margin: 100_000).low == 2400 + 1920 + 4800)
    #expect(Pace(device, busy: true, margin: 100_000).top == 10_800 + 4800)
  }

  @Test("A small buffer is not asked for more than it holds, and not all the time", arguments: [1024, 4096])
  func small(buffer: Int) {
    let device = Said()
    device.bufferFrames = buffer
    let pace = Pace(device, busy: true, margin: 250_000)
    #expect(pace.top == buffer)
    #expect(pace.low <= buffer * 2 / 3)
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
