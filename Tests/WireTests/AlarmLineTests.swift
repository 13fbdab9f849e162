import Testing
import Wire

@Suite("The reply to list, written by hand")
struct AlarmLineTests {
  private func entry() -> AlarmEntry {
    var entry = AlarmEntry(id: 3, when: "every Mon 07:00", sentence: "every Mon 07:00")
    entry.label = "a\"b\\c\u{1b}\n\u{0}\u{1f}/ü🐈\u{2028}"
    entry.userInfo = ["b\"": "2\t", "a": ""]
    return entry
  }

  /// With something in every place, so that a key that is missing in either is seen.
  private func full() -> AlarmEntry {
    var entry = entry()
    (entry.enabled, entry.next, entry.nextShown) = (false, "2026-11-30T07:00:00+01:00", "Mon 30 Nov 07:00")
    (entry.inSeconds, entry.zone, entry.sound) = (1234.56789, "Asia/Tokyo", "/music/ö \u{7f}.ogg")
    (entry.volume, entry.fade, entry.snooze, entry.snoozeLimit) = (0, 1.5, 600, 3)
    (entry.silenceAfter, entry.body, entry.action, entry.badge) = (1e21, "two\nlines", "Go", 9)
    (entry.run, entry.until, entry.count, entry.state) = ("echo 'x'", "2027-01-01", 12, "snoozed")
    entry.skips = [
      .init(from: "2026-12-01", until: "2026-12-02"), .init(from: "2027-01-01", until: "2027-01-01"),
    ]
    entry.missed = .init(at: "2026-11-29T07:00:00+01:00", shown: "Sun", reason: "away", because: "“no”")
    return entry
  }

  @Test("It is the same as what the encoder writes, key by key and value by value")
  func same() throws {
    for (id, alarms) in [
      (JSON.int(7), [entry(), full()]), (.string("a\"b"), [full()]), (.null, []),
    ] {
      let (ours, theirs) = (
        Outgoing.reply(id: id, alarms: alarms), Outgoing.reply(id: id, result: alarms)
      )
      #expect(ours.last == 10 && !ours.dropLast().contains(10))
      guard case .reply(let ourID, let our) = try Incoming(line: ours.dropLast()),
        case .reply(_, let their) = try Incoming(line: theirs.dropLast())
      else {
        Issue.record("not a reply")
        return
      }
      #expect(ourID == id)
      #expect(try our.json() == their.json())
      #expect(try our.decode([AlarmEntry].self) == alarms)
    }
  }
}
