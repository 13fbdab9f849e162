import Core
import Exchange
import Harness
import Schedule
import Testing

@Suite("Files that are broken or mean harm")
struct HostileTests {
  let good = event("DTSTART:20261201T080000Z").replacing("SUMMARY:Event", with: "SUMMARY:Good")

  private func context() throws -> ImportContext { ImportContext(now: now, zone: try zone("Europe/Berlin")) }

  @Test(
    "Something broken takes nothing else away",
    arguments: [
      "BEGIN:VEVENT\nSUMMARY:x\nBEGIN:VALARM\nTRIGGER:PT0S",
      "BEGIN:VEVENT\nSUMMARY:x\nEND:VALARM\nEND:VEVENT",
      "BEGIN:VEVENT\nSUMMARY:x\nBEGIN:VALARM\nEND:VEVENT",
      String(repeating: "BEGIN:VEVENT\nBEGIN:VALARM\n", count: 50_000),
      "BEGIN:X\n" + String(repeating: "BEGIN:X\n", count: 200_000)
        + String(repeating: "END:X\n", count: 200_001),
      "BEGIN:VEVENT\n" + String(repeating: "BEGIN:VALARM\n", count: 1000)
        + String(repeating: "END:VALARM\n", count: 1000)
        + "END:VEVENT",
      "BEGIN:VEVENT\nSUMMARY:" + String(repeating: "long ", count: 500_000) + "\nEND:VEVENT",
    ])
  func broken(part: String) throws {
    let found = try read(part + "\n" + good)
    #expect(found.alarms.map(\.draft.label) == ["Good"])
    #expect(!found.leftOut.isEmpty)
  }

  @Test(
    "What nobody knows is passed over",
    arguments: [
      "nonsense", "BEGIN:VJOURNAL\nEND:VJOURNAL", "END:VEVENT", "BEGIN:\nEND:", ":::;;;", "\u{0}\u{1}\u{2}",
      "BEGIN:X-OWN\nBEGIN:VALARM\nEND:VALARM\nEND:X-OWN",
    ])
  func unknown(part: String) throws {
    let found = try read(part + "\n" + good)
    #expect(found.alarms.map(\.draft.label) == ["Good"])
  }

  @Test("Bytes that are no UTF-8 become what can be shown")
  func bytes() throws {
    var text = Array("BEGIN:VCALENDAR\r\n\(lines(good))\r\nEND:VCALENDAR\r\n".utf8)
    let place = try #require(text.firstRange(of: Array("Good".utf8)))
    text.replaceSubrange(place, with: [0xff, 0xc3, 0x28, 0x00, 0xed, 0xa0, 0x80])
    let found = try readAlarms(text, try context())
    #expect(found.alarms.count == 1)
    #expect(found.alarms[0].draft.label.contains("\u{fffd}"))
  }

  @Test("Folded lines, small letters, bare line feeds, tabs and a byte order mark are read")
  func shapes() throws {
    let text =
      "\u{feff}begin:vcalendar\nbegin:vevent\nsum\n mary:Fol\n\tded\ndtstart:20261201T\n 080000Z\nbegin:valarm\ntrigger:-PT5M\nend:valarm\nend:vevent\nend:vcalendar"
    let found = try readAlarms(Array(text.utf8), try context())
    #expect(found.alarms.map(\.draft.label) == ["Folded"])
    #expect(found.alarms.map(\.draft.rule.text) == ["2026-12-01T07:55:00Z"])
  }

  @Test(
    "Rules that mean to be counted for ever come to an end",
    arguments: [
      "FREQ=SECONDLY;COUNT=2000000000", "FREQ=DAILY;COUNT=2147483647",
      "FREQ=DAILY;COUNT=99999999999999999999",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000000", "FREQ=WEEKLY;INTERVAL=32767;COUNT=100000",
      "FREQ=DAILY;INTERVAL=2;UNTIL=99991231T000000Z",
      "FREQ=YEARLY;INTERVAL=9999;COUNT=90",
      "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE=0,1,2,3,4,5,6,7,8,9",
    ])
  func endless(rule: String) throws {
    let many = (0..<200).map {
      event("DTSTART:20200101T0800\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z\nRRULE:\(rule)")
    }
    let taken = try ContinuousClock().measure {
      let found = try read(many.joined(separator: "\n"))
      #expect(found.alarms.count + found.leftOut.count >= 200)
    }
    #expect(taken < .seconds(10))
  }

  @Test("Fifty megabytes of events are read in seconds, whatever is in them")
  func large() throws {
    let one =
      lines(
        event(
          "DTSTART;TZID=Europe/Berlin:20261130T080000\nRRULE:FREQ=WEEKLY;INTERVAL=2\nDESCRIPTION:"
            + String(repeating: "x", count: 300))) + "\r\n"
    let text =
      "BEGIN:VCALENDAR\r\n" + String(repeating: one, count: 50_000_000 / one.utf8.count) + "END:VCALENDAR\r\n"
    let taken = try ContinuousClock().measure {
      let found = try readAlarms(Array(text.utf8), try context())
      #expect(found.leftOut.count == 50_000_000 / one.utf8.count)
    }
    print("50 MB of a calendar: \(taken)")
    #expect(taken < .seconds(120))
  }

  @Test("More alarms than a file may bring are refused")
  func tooMany() throws {
    let one = lines(event("DTSTART:20261201T080000Z")) + "\r\n"
    let text =
      "BEGIN:VCALENDAR\r\n" + String(repeating: one, count: Import.mostAlarms + 1) + "END:VCALENDAR\r\n"
    #expect(throws: ExchangeError.self) { try readAlarms(Array(text.utf8), try context()) }
  }

  @Test("Two thousand files broken by chance end in an answer or a sentence", arguments: 1...4)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var writer = try CalendarWriter(now: now, machine: try zone("Europe/Berlin"))
    var calendar = CalendarWriter.header
    var document = AlarmDocument.header(at: now)
    for (index, alarm) in try RoundTripTests.alarms(6, seed: 99).enumerated() {
      calendar += writer.text(alarm)
      document += (index > 0 ? "," : "") + (try AlarmDocument.line(alarm))
    }
    let sources = [
      Array((calendar + CalendarWriter.footer).utf8), Array((document + AlarmDocument.footer).utf8),
    ]
    for _ in 0..<500 {
      guard var bytes = sources.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 20..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
        default: if Int.random(in: 0..<20, using: &random) == 0 { bytes.removeLast(bytes.count - place) }
        }
      }
      do { _ = try readAlarms(bytes, try context()) } catch let error as ExchangeError {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test(
    "What is no file of alarms is refused with a sentence",
    arguments: [
      ("", "it is empty"), ("hello", "neither"), ("{}", "“format”"),
      ("{\"format\":\"reveille-alarms\"", "cut off"),
      ("{\"format\":\"reveille-alarms\",\"version\":2,\"alarms\":[]}", "newer"),
      ("{\"format\":\"reveille-alarms\",\"version\":-1,\"alarms\":[]}", "its “version” is -1"),
      ("{\"format\":\"reveille-alarms\",\"alarms\":[]}", "no “version”"),
      ("{\"format\":\"reveille-alarms\",\"version\":1}", "no “alarms”"),
      ("{\"a\":" + String(repeating: "[", count: 200_000), "nested"),
      ("BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR", "vCalendar 1.0"),
    ])
  func refused(text: String, reason: String) throws {
    let error = #expect(throws: ExchangeError.self) { try readAlarms(Array(text.utf8), try context()) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A JSON file may say what repeats in the words of “alarm add”, and what is wrong in a list is told by its place"
  )
  func writtenByHand() throws {
    let text = """
      {"format": "reveille-alarms", "version": 1, "alarms": [
        {"when": "daily 07:00"}, {"when": "7am Mon-Fri"}, {"when": "Every mon 07:00"}, {"when": "tomorrow 07:00"},
        {"when": "daily 07:00", "skips": ["2026-12-24", 5]}, {"when": "daily 07:00", "zone": "localtime"}
      ]}
      """
    let found = try readAlarms(Array(text.utf8), try context())
    #expect(
      found.alarms.map(\.draft.rule.text) == ["every day 07:00", "every Mon-Fri 07:00", "every Mon 07:00"])
    #expect(
      found.leftOut.map(\.why) == [
        "its “when” (“tomorrow 07:00”) is not a time that means the same on every day it is read, such as "
          + "“every Mon-Fri 07:00”, “2026-12-01 07:00” or “+25m”",
        "what stands at place 2 of its “skips” is of the wrong kind",
        "its “zone” (“localtime”) is not a time zone of this machine",
      ])
  }

  @Test("An alarm of a JSON file that cannot be read is named, and takes no other away")
  func elements() throws {
    let text = """
      {"format": "reveille-alarms", "version": 1, "alarms": [
        {"when": "every blue 07:00", "label": "A"}, {"label": "B"}, 7, {"when": "every day 07:00", "label": "Good", "colour": "red"},
        {"when": "every day 07:00", "zone": "Mars/Olympus"}, {"when": "every day 07:00", "fade": "soon"},
        {"when": "every day 08:00", "volume": 900, "label": "Loud"}, {"when": "every day 07:00", "volume": "loud"}
      ]}
      """
    let found = try readAlarms(Array(text.utf8), try context())
    #expect(found.alarms.map(\.draft.label) == ["Good", "Loud"])
    #expect(
      found.leftOut.map(\.what) == [
        "the alarm at place 1 (A)", "the alarm at place 2 (B)", "the alarm at place 3",
        "the alarm at place 5", "the alarm at place 6", "the alarm at place 8",
      ])
    #expect(found.leftOut[0].why.contains("“every blue 07:00”"), "\(found.leftOut)")
    #expect(
      found.changed.map(\.why) == [
        "“colour” is nothing this program knows; it is left out",
        "its volume is out of range and is left out",
      ])
  }
}
