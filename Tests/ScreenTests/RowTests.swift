import Platform
import Testing
import Wire

@testable import Screen

@Suite("What a row says")
struct RowTests {
  private func rows(_ model: Model) -> [String] {
    let frame = view(model)
    return (0..<frame.size.rows).map { row in
      (0..<frame.size.columns).map { frame[$0, row].text }.joined()
    }
  }

  private func list(_ alarms: [AlarmEntry], _ columns: Int = 80, _ rows: Int = 24, _ keys: [Key] = ["2"])
    -> Model
  {
    useUTF8()
    var model = Samples.attached(columns, rows, alarms: alarms)
    for key in keys { Samples.answer(&model, model.update(.key(key), at: Samples.now()), alarms) }
    return model
  }

  @Test(
    "A missed alarm keeps its label, and says of the miss what there is room for",
    arguments: [40, 60, 80, 132])
  func missed(_ columns: Int) throws {
    var alarm = Samples.alarm(20, "once +3s", next: nil, label: "Tea", enabled: false, state: "off")
    alarm.missed = .init(
      at: "2026-11-29T14:02:00+01:00", shown: "14:02", reason: "asleep", because: "the machine was asleep")
    var other = Samples.alarm(
      21, "every Mon,Tue,Wed,Thu 07:00", next: nil, label: "A label that is rather long", enabled: false)
    other.missed = alarm.missed
    let lines = rows(list([alarm, other], columns))
    let line = try #require(lines.first { $0.contains("○ 20") })
    #expect(line.contains(columns == 40 ? "Tea " : "Tea  missed") && !line.contains("mi…"), "\(line)")
    #expect(columns < 132 || line.contains("Tea  missed Sun 29 Nov 14:02: the machine was asleep"))
    let long = try #require(lines.first { $0.contains("○ 21") })
    #expect(columns == 40 || long.contains("A la") && long.contains("missed"), "\(long)")
  }

  @Test("Labels stand in one column, which does not move when a minute is full or a time has seconds")
  func labelColumn() throws {
    useUTF8()
    let alarms = [
      Samples.alarm(1, "once", next: "2026-11-30T16:57:54+01:00", label: "Tea"),
      Samples.alarm(2, "every day 03:00", next: "2026-12-01T03:00:00+01:00", label: "Tokyo"),
      Samples.alarm(3, "once", next: "2027-12-01T03:00:00+01:00", label: "Later"),
    ]
    var model = list(alarms)
    var columns: Set<Int> = []
    let full = 60 - Double(Samples.now().wall.clock.second)
    for second in [full - 1, full, full + 1] {
      _ = model.update(.tick, at: Samples.now(second))
      for label in ["Tea", "Tokyo", "Later"] {
        let line = try #require(rows(model).first { $0.contains(" \(label) ") })
        columns.insert(line.indices.first { line[$0...].hasPrefix(label) }.map { line[..<$0].count } ?? -1)
      }
    }
    #expect(columns.count == 1, "\(columns)")
  }

  @Test("An alarm that comes once says that it rings while it does, and not that it is off")
  func ringingOnce() throws {
    let alarm = Samples.alarm(6, "once +5m", next: nil, enabled: false, state: "ringing")
    let line = try #require(rows(list([alarm])).first { $0.contains("! 6") })
    #expect(line.contains("rings now") && !line.contains("off"), "\(line)")
  }

  @Test(
    "Which part of a list is shown stands below it and covers none of its rows",
    arguments: [(80, 24), (40, 12)])
  func counter(_ columns: Int, _ count: Int) throws {
    let label = String(repeating: "long ", count: 40)
    let alarms = (1...40).map {
      Samples.alarm($0, "every Mon 07:00", next: "2026-11-30T07:00:00+01:00", label: label)
    }
    let lines = rows(list(alarms, columns, count))
    #expect(lines.last?.contains(" of 40") == true)
    #expect(!lines.dropLast().contains { $0.contains(" of 40") })
  }

  @Test("What a command printed keeps its columns, and goes on below its second one")
  func columns() {
    useUTF8()
    func fold(_ text: String, _ columns: Int) -> [String] { folded(text, columns, 8, .unicode) }
    #expect(fold("   1  every Mon   07:00  Up", 40) == ["   1  every Mon   07:00  Up"])
    #expect(fold("", 40) == [""])
    #expect(
      fold("engine      version 1, process 12, since 07:00", 26)
        == ["engine      version 1,", "            process 12,", "            since 07:00"])
    #expect(fold("  an indented line of words", 16) == ["  an indented", "  line of words"])
    #expect(fold("unbroken_word_of_many_letters and more", 10).first == "unbroken_word_of_many_letters")
    var model = Samples.attached()
    Samples.press(&model, [":", "x", .enter])
    _ = model.update(.ran("x", CommandOutcome(lines: ["a     b", "   c  d"])), at: Samples.now())
    #expect(
      rows(model).contains { $0.hasPrefix("a     b") } && rows(model).contains { $0.hasPrefix("   c  d") })
  }

  @Test("Where there is only ASCII no key is taken for another, and no sign is a question mark")
  func ascii() {
    let keys = Model(
      now: Samples.now(), size: Size(columns: 80, rows: 24), clock: .hours24, charset: .ascii
    ).keys
    #expect(keys.names(for: .seekForward) == "right" && keys.names(for: .seekBackMinute) == "shift-left")
    #expect(keys.names(for: .next) == ">")
    for binding in keys.bindings {
      #expect(keys.names(for: binding.action).utf8.allSatisfy { $0 < 0x80 }, "\(binding.action)")
    }
    for sign in "█▀▄━─·●○▶‖…“”‘’→≡–—■│╭╮╰╯" {
      #expect(Glyphs.of(sign, .ascii).map(\.text) != ["?"], "\(sign)")
    }
    var model = Model(
      now: Samples.now(), size: Size(columns: 80, rows: 24), clock: .hours24, charset: .ascii,
      places: Samples.places)
    var status = Samples.status
    Samples.playing(&status)
    _ = model.update(.connected, at: Samples.now())
    Samples.answer(&model, model.update(.replied(.subscribe, .success(.status(status))), at: Samples.now()))
    Samples.press(&model, ["3"])
    #expect(rows(model).contains { $0.contains("vol 70 =======---") })
    Samples.press(&model, ["4"])
    #expect(rows(model).contains { $0.contains("= evening.m3u8") })
  }

  @Test("What is wrong with the settings begins with its key, and a lease without a reason names whose it is")
  func lines() {
    let model = Samples.attached {
      $0.awake.leases = [
        .init(
          id: 1, owner: "person", reason: "", kinds: ["audio"], expiresAt: "2026-11-30T06:00:00+01:00",
          secondsLeft: nil, renewalsLeft: 0)
      ]
    }
    #expect(rows(model).contains { $0.contains("awake until 06:00, a lease of person") })
  }

  @Test("The picture in the README is the screen's own")
  func readme() throws {
    useUTF8()
    func moment(_ iso: String) throws -> Moment {
      Moment(wall: try #require(WallTime(iso: iso)), monotonic: 1_000_000_000)
    }
    var model = Model(
      now: try moment("2026-11-30T03:35:00+01:00"), size: Size(columns: 80, rows: 24), clock: .hours24,
      charset: .unicode)
    let alarms = [
      Samples.alarm(1, "every Mon-Fri 06:45", next: "2026-11-30T06:45:00+01:00", label: "Work"),
      Samples.alarm(3, "once 2026-11-30 07:00", next: "2026-11-30T07:00:00+01:00", label: "Flight to Lisbon"),
      Samples.alarm(2, "every Sat,Sun 09:00", next: "2026-12-05T09:00:00+01:00", label: "Slow morning"),
    ]
    var status = Samples.status
    status.alarms.next = .init(id: 1, label: "Work", at: "2026-11-30T06:45:00+01:00")
    status.player.state = "playing"
    status.player.track = .init(path: "/music/dawn.ogg", title: "", artist: "", album: "", duration: 28)
    (status.player.position, status.queue.length, status.queue.index) = (3, 1, 0)
    (status.keepAlive.active, status.keepAlive.why) = (true, "a track is loaded")
    _ = model.update(.connected, at: model.now)
    Samples.answer(
      &model, model.update(.replied(.subscribe, .success(.status(status))), at: model.now), alarms)
    var picture = rows(model).map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
    while picture.last?.isEmpty == true { picture.removeLast() }
    let top = String("\(#filePath)".dropLast("Tests/ScreenTests/RowTests.swift".count))
    let readme = String(decoding: try readFile(top + "README.md"), as: UTF8.self)
    let block = readme.split(separator: "```\n", omittingEmptySubsequences: false)[1]
    let wanted = picture.joined(separator: "\n") + "\n"
    #expect(String(block) == wanted, "the screen shows:\n\(wanted)")
  }
}
