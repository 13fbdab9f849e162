import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Alarms to a file and from one, on the real engine", .serialized)
struct HandoverTests {
  private func fill(_ world: World) throws {
    try world.must(
      "add", "mon-fri 07:00", "--label", "Up", "--info", "room=kitchen", "--fade", "1m30s", "--action", "Go")
    try world.must(
      "add", "1st,3rd mon, last day 18:30", "--zone", "America/New_York", "--until", "2099-05-05")
    try world.must("add", "2099-01-01 07:00", "--body", "two\nlines", "--badge", "4", "--run", "true")
    try world.must("timer", "3h", "Tea")
    try world.must("add", "2099-12-24T18:00:00Z", "--volume", "40", "--snooze-limit", "2")
    try world.must("add", "every 29 feb 10:00", "--count", "3")
    try world.must("remove", "6")
    try world.must("add", "daily 22:00", "--snooze", "3m", "--silence-after", "4m")
    try world.must("off", "7")
  }

  private func alarms(_ world: World) throws -> [Substring] {
    Array(try world.must("export").split(separator: "\n").dropFirst())
  }

  @Test("A long list comes in parts and whole: each alarm once, in order, as lines and as JSON")
  func longList() throws {
    let world = try World()
    let count = 2 * Methods.listPage
    let copies = (1...count).map { #"{"when": "every day 07:00", "label": "Alarm \#($0)"}"# }
    let file = world.folder.path + "/alarms.json"
    try replaceFile(
      file,
      with: Array(
        #"{"format": "reveille-alarms", "version": 1, "alarms": [\#(copies.joined(separator: ",\n"))]}"#.utf8)
    )
    try world.must("import", file)
    try world.must("add", "daily 08:00", "--label", "Last")
    let lines = try world.must("list").split(separator: "\n")
    #expect(lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } } == Array(1...count + 1))
    #expect(lines.last?.contains("Last") == true)
    #expect(try world.list().map(\.id) == Array(1...count + 1))
    try world.must("remove", "\(count + 1)")
    #expect(try world.list().count == count, "the last part is empty")
  }

  @Test(
    "An export taken into an empty world makes the same alarms under the same numbers, and one undo takes them back"
  )
  func same() throws {
    let (one, other) = (try World(), try World())
    try fill(one)
    try one.must("add", "07:00")
    let file = one.folder.path + "/alarms.json"
    try one.must("export", file)
    let dry = try other.alarm("import", file, "--dry-run")
    #expect(dry.text.contains("7 alarms would be taken") && !dry.text.contains("undo"))
    let taken = try other.must("import", "--with-commands", file)
    #expect(taken.contains("7 alarms taken; “alarm undo” takes them back"))
    #expect(try alarms(other) == (try alarms(one)))
    #expect(try other.must("undo").contains("undone: import of 7 alarms"))
    #expect(try other.must("export").contains("\"when\"") == false)
    // Their numbers are gone for good.
    let again = try other.must("import", file)
    #expect(again.contains("7 under a new number"))
    #expect(try alarms(other)[0].contains("\"id\":9"))
  }

  @Test("A calendar that is written rings at the same times when it is taken elsewhere, in another zone too")
  func calendar() throws {
    let (one, other) = (try World(), try World(zone: "Asia/Tokyo"))
    try fill(one)
    let file = one.folder.path + "/alarms.ics"
    let written = try one.alarm("export", file)
    #expect(written.complaint.contains("alarm 4 (Tea): it is a timer"))
    let taken = try other.alarm(["import", "-"], input: String(decoding: try readFile(file), as: UTF8.self))
    #expect(taken.succeeded && taken.text.contains("6 alarms taken"), "\(taken.complaint)")
    #expect(taken.complaint.contains("its command (“true”) is left out"))
    let zoned = try other.must("show", "2")
    #expect(zoned.contains("every 1st,3rd Mon, last day 18:30 America/New_York"))
    #expect(try alarms(other).count == (try alarms(one)).count)
  }

  @Test("What cannot be taken is said, and nothing of it is there afterwards")
  func refused() throws {
    let world = try World()
    let events = ["INTERVAL=2", "BYDAY=5MO;X=1"].map {
      "BEGIN:VEVENT\nSUMMARY:No\nDTSTART:20300101T080000\nRRULE:FREQ=MONTHLY;\($0)\nBEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\nEND:VALARM\nEND:VEVENT\n"
    }
    let text = "BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n"
    let finished = try world.alarm(["import", "-"], input: text)
    #expect(finished.status == .exited(1) && finished.text.contains("0 alarms taken; 2 left out"))
    #expect(
      finished.complaint.contains("“No” (2030-01-01 08:00:00) is left out: ")
        || finished.complaint.contains("“No” (2030-01-01 08:00) is left out: "))
    #expect(
      try world.alarm("import", "/etc").complaint
        == "alarm: cannot read “/etc”: is a directory; give the name of a file that can be read\n")
    let nowhere = try world.alarm("export", "/nowhere/x.json")
    #expect(nowhere.status == .exited(1) && nowhere.complaint.contains("cannot write “/nowhere/x.json”: "))
    let missing = try world.alarm("import", "/nowhere/x.ics")
    #expect(missing.status == .exited(1) && missing.complaint.contains("/nowhere/x.ics"))
    let nonsense = try world.alarm(["import", "-"], input: "hello")
    #expect(
      nonsense.status == .exited(1)
        && nonsense.complaint.contains("neither what “alarm export” wrote nor a calendar"))
    #expect(try world.must("list").isEmpty)
  }

  @Test(
    "An engine that is killed while it takes an import has all of it afterwards, or nothing",
    arguments: [5, 60, 120, 180, 250, 400])
  func killed(milliseconds: Int) throws {
    let world = try World()
    try world.must("add", "07:00")
    let count = 4000
    let lines = (1...count).map { "{\"when\": \"every day 0\($0 % 10):00\", \"label\": \"L\($0)\"}" }
    let file = world.folder.path + "/many.json"
    try world.folder.write(
      Array(
        "{\"format\":\"reveille-alarms\",\"version\":1,\"alarms\":[\(lines.joined(separator: ","))]}".utf8),
      to: world.folder.file("many.json"))
    let client = try spawn([world.program, "import", file], environment: world.environment, descriptors: [])
    usleep(UInt32(milliseconds * 1000))
    for process in world.processes() where process != client { kill(process, SIGKILL) }
    kill(client, SIGKILL)
    _ = waitpid(client, nil, 0)
    let left = try world.must("list").split(separator: "\n").count
    #expect(left == 1 || left == 1 + count)
  }
}
