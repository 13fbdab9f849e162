import Harness
import Platform
import Testing
import Wire

@testable import Screen

@Suite("The terminal's bell, where no device makes a ring heard")
struct BellTests {
  private func ringing(_ change: (inout Status) -> Void) -> Status {
    var status = Samples.status
    status.ringing = [Samples.ring]
    status.ringing[0].sounding = true
    change(&status)
    return status
  }

  @Test("It rings once a second while nobody hears the alarm, whatever else happens, and not a moment longer")
  func rhythm() {
    var model = Samples.model(80, 24)
    let unheard = ringing { $0.output.audible = false }
    func bells(_ event: Event, _ second: Double) -> Int {
      model.update(event, at: Samples.now(second)).count { $0 == .bell }
    }
    let first = bells(.status(unheard), 10)
    let again = bells(.status(unheard), 10.4)
    let resized = bells(.resize(Size(columns: 80, rows: 24)), 10.9)
    let deadline = model.deadline
    let due = bells(.tick, 11)
    let next = bells(.tick, 12.2)
    #expect([first, again, resized, due, next] == [1, 0, 0, 1, 1])
    #expect(deadline == Samples.now(11).monotonic)
    let heard = bells(.status(ringing { $0.output.audible = true }), 13)
    let later = bells(.tick, 14.5)
    let interrupted = bells(.status(ringing { $0.output.state = "interrupted" }), 15)
    let snoozed = bells(.status(Samples.status), 16)
    let gone = bells(.tick, 18)
    #expect([heard, later, interrupted, snoozed, gone] == [0, 0, 1, 0, 0])
    #expect(model.bellAt == nil)
  }

  @Test("Neither music that nobody hears nor an alarm that is covered rings it")
  func others() {
    var model = Samples.model(80, 24)
    var music = Samples.status
    music.output.audible = false
    music.player.state = "playing"
    let covered = ringing {
      $0.output.audible = false
      $0.ringing[0].sounding = false
    }
    for status in [music, covered] {
      let effects = model.update(.status(status), at: Samples.now(1))
      #expect(!effects.contains(.bell))
    }
  }
}
