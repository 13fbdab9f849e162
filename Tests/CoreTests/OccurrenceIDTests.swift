import Core
import Schedule
import Testing

@Suite("The name of an occurrence")
struct OccurrenceIDTests {
  @Test("It reads back as it was written")
  func roundTrip() {
    for id in [
      OccurrenceID(alarm: 3, date: date("2026-11-30"), version: 1),
      OccurrenceID(alarm: 12, date: date("2028-02-29"), version: 7, rehearsal: 2),
    ] {
      #expect(OccurrenceID(id.description) == id)
    }
    #expect(OccurrenceID(alarm: 3, date: date("2026-11-30"), version: 1).description == "3@2026-11-30.1")
  }

  @Test(
    "Everything else is none",
    arguments: [
      "", "3", "3@", "@2026-11-30.1", "3@2026-11-31.1", "3@2026-11-30", "3@2026-11-30.1r0", "03@2026-11-30.1",
      "3@2026-11-30.1r", "3@2026-11-30.x", "3@2026-11-30.1r1r1", "+3@2026-11-30.1",
    ])
  func refused(text: String) {
    #expect(OccurrenceID(text) == nil)
  }
}
