import Core
import Desktop
import Glibc
import Platform
import Testing
import Wire

@testable import Engine

@Suite("Why nothing wakes the machine")
struct WakeUpWordsTests {
  @Test(
    "The machine's clock is refused in words that name the cause",
    arguments: [
      (EOPNOTSUPP, "the machine has no clock that wakes it"),
      (EPERM, "the engine may not set the machine's clock to wake it (CAP_WAKE_ALARM)"),
      (EMFILE, "cannot make a timer: too many open files"),
    ])
  func clock(_ code: Int32, _ words: String) {
    #expect(WakeUpKeeper.sentence(SystemError("cannot make a timer", code: code)) == words)
  }

  @Test("What the closed lid does is what logind does as things are")
  func lid() {
    var facts = PowerFacts()
    #expect(facts.lidAction == nil && facts.canSleep == nil)
    facts.sleep = .init()
    facts.sleep?.handleLidSwitch = "suspend"
    facts.sleep?.handleLidSwitchExternalPower = ""
    facts.sleep?.handleLidSwitchDocked = "ignore"
    #expect(facts.lidAction == "suspend")
    facts.sleep?.isOnExternalPower = true
    #expect(facts.lidAction == "suspend", "empty is as on battery")
    facts.sleep?.handleLidSwitchExternalPower = "lock"
    #expect(facts.lidAction == "lock")
    facts.sleep?.isDocked = true
    #expect(facts.lidAction == "ignore")
    for (answer, can) in [("yes", true), ("challenge", true), ("no", true), ("na", false)] {
      facts.sleep?.canSuspend = answer
      #expect(facts.canSleep == can)
      facts.cannotWake = true
      #expect(facts.sleepsThrough == can)
    }
    facts.wakeUp = .init(by: "block", at: "")
    #expect(!facts.sleepsThrough)
  }
}
