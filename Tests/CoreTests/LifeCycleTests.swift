import Core
import Testing

@Suite("The life cycle")
struct LifeCycleTests {
  typealias Step = LifeCycle.Step

  @Test("Screens come and go, and lose and get the focus, each by way of what lies between")
  func screens() {
    var cycle = LifeCycle()
    #expect(cycle.state == .background)
    #expect(cycle.handle(.screens([])) == [])
    #expect(cycle.handle(.screens([true])) == [.foreground, .active])
    #expect(cycle.handle(.screens([false, true])) == [], "one that has it is enough")
    #expect(cycle.handle(.screens([false, false])) == [.inactive])
    #expect(cycle.handle(.screens([true, false])) == [.active])
    #expect(cycle.handle(.screens([])) == [.inactive, .background])
    #expect(cycle.handle(.screens([false])) == [.foreground, .inactive])
    #expect(cycle.handle(.screens([])) == [.background])
  }

  @Test(
    "The machine sleeps and wakes, and the end comes, from wherever it is",
    arguments: [
      ([true], LifeCycle.State.active, [.inactive, .background], [.foreground, .active]),
      ([false], .inactive, [.background], [.foreground, .inactive]), ([], .background, [], [.background]),
    ] as [([Bool], LifeCycle.State, [Step], [Step])])
  func sleepAndEnd(_ screens: [Bool], _ state: LifeCycle.State, _ down: [Step], _ up: [Step]) {
    var cycle = LifeCycle()
    _ = cycle.handle(.screens(screens))
    #expect(cycle.state == state)
    var other = cycle
    #expect(other.handle(.terminating) == down + [.terminating])
    #expect(other.handle(.screens([true])) == [] && other.state == .terminating, "nothing comes after it")
    #expect(cycle.handle(.suspending(true)) == down + [.suspending])
    #expect(cycle.handle(.suspending(true)) == [])
    #expect(cycle.handle(.suspending(false)) == up && cycle.state == state)
    _ = cycle.handle(.suspending(true))
    #expect(cycle.handle(.terminating) == [.terminating])
  }

  @Test("A screen that goes while the machine sleeps is gone when it wakes")
  func goesAsleep() {
    var cycle = LifeCycle()
    _ = cycle.handle(.screens([true]))
    _ = cycle.handle(.suspending(true))
    #expect(cycle.handle(.screens([])) == [] && cycle.state == .suspending)
    #expect(cycle.handle(.suspending(false)) == [.background])
  }
}
