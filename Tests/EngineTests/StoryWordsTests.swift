import Core
import Harness
import Platform
import Schedule
import Testing

@testable import Engine

@Suite("A story in words")
struct StoryWordsTests {
  private let id = OccurrenceID(alarm: 3, date: LocalDate(dayNumber: 20_787), version: 1)

  private func line(_ kind: StoryLine.Kind, _ text: String = "", _ reason: Occurrence.Reason? = nil)
    -> StoryLine
  {
    var line = StoryLine(id, kind, at: Instant(seconds: 1_796_022_000), text: text)
    (line.reason, line.from, line.until) = (reason, Instant(seconds: 1_796_018_400), line.at)
    line.span = .seconds(180)
    return line
  }

  @Test("Each line is a sentence that says what happened, when, and whose doing it was")
  func sentences() {
    let words = StoryWords(zone: .utc)
    let lines = [
      line(.rang), line(.late, "", .away), line(.late, "", .asleep), line(.missed, "", .clockSet),
      line(.missed, "Asia/Tokyo", .zoneChanged), line(.missed, "", .unanswered), line(.sounds, "/a/b.ogg"),
      line(.sounds, "dawn"), line(.soundFailed, "“/x” is gone"), line(.snoozed, "the screen"),
      line(.silenced), line(.dismissed, "the desktop"), line(.restarted, "", .away),
      line(.missed, StoryLine.stopped, .away), line(.covered, "alarm 4 (Tea)"), line(.uncovered),
      line(.unheard), line(.sounds, "file:///m/%FF%1B.ogg"),
    ]
    #expect(
      lines.map(words.sentence) == [
        "rang",
        "rang 3 min late: no engine ran from 2026-11-30 06:00:00 until it was started at 2026-11-30 07:00:00",
        "rang 3 min late: the machine slept from 2026-11-30 06:00:00 to 2026-11-30 07:00:00",
        "missed: the clock was set from 2026-11-30 06:00:00 to 2026-11-30 07:00:00",
        "missed: the time zone became Asia/Tokyo", "missed: nobody came", "rang with “/a/b.ogg”",
        "rang with the sound “dawn”", "“/x” is gone", "snoozed by the screen until 2026-11-30 07:00:00",
        "nobody came: snoozed by itself until 2026-11-30 07:00:00", "dismissed by the desktop",
        "rang again: no engine ran from 2026-11-30 06:00:00 until it was started at 2026-11-30 07:00:00",
        "missed: the engine was stopped, or hung, from 2026-11-30 06:00:00 to 2026-11-30 07:00:00",
        "silent, for alarm 4 (Tea) rings over it", "no longer covered: it is to sound",
        "was not heard until then: others rang over it", "rang with “/m/\u{fffd}\u{fffd}.ogg”",
      ])
    for kind in StoryLine.Kind.allCases where ![.soundFailed, .noted, .ran, .runFailed].contains(kind) {
      #expect(!words.sentence(line(kind)).isEmpty, "\(kind)")
    }
  }

  @Test("A second that was worked out from two clocks is the same in a story as in the status")
  func seconds() {
    var snoozed = line(.snoozed, "the screen")
    for (microseconds, second) in [(0, "00"), (999_990, "01"), (700_000, "00"), (-5, "00")] as [(Int, String)]
    {
      snoozed.until = snoozed.at + .microseconds(microseconds)
      #expect(
        StoryWords(zone: .utc).sentence(snoozed) == "snoozed by the screen until 2026-11-30 07:00:\(second)")
    }
  }

  @Test(
    "What a power cut leaves of settings, a pipe and what is far too large are wrong, and no settings are not"
  )
  func noSettings() throws {
    let folder = try TemporaryFolder()
    let paths = Paths(environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path], executable: "/x")
    try runOrThrow(["mkdir", "-p", folder.path + "/reveille"])
    let spaces = [UInt8](repeating: 32, count: 1 << 20)
    for bytes in [[], Array(" \t\r\n".utf8), spaces] {
      try replaceFile(paths.settingsFile, with: bytes)
      #expect(SettingsFile.read(paths).1 == [])
    }
    for bytes in [[UInt8](repeating: 0, count: 300), spaces + [32]] {
      try replaceFile(paths.settingsFile, with: bytes)
      let problems = SettingsFile.read(paths).1
      #expect(problems.count == 1 && problems[0].contains(clean(paths.settingsFile)), "\(problems)")
    }
    try runOrThrow(["rm", paths.settingsFile])
    #expect(SettingsFile.read(paths).1 == [])
    try runOrThrow(["mkfifo", paths.settingsFile])
    #expect(
      SettingsFile.read(paths).1 == [
        "the settings cannot be read: “\(clean(paths.settingsFile))” is a pipe; put a file in its place"
      ])
  }

  @Test("What is wrong with settings begins with its key, and ends with the file")
  func settings() throws {
    let folder = try TemporaryFolder()
    let paths = Paths(environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path], executable: "/x")
    try runOrThrow(["mkdir", "-p", folder.path + "/reveille"])
    try replaceFile(paths.settingsFile, with: Array("{ alarm: { fade: \"x\" } }".utf8), mode: 0o644)
    let problem = try #require(SettingsFile.read(paths).1.first)
    #expect(
      problem.hasPrefix("alarm.fade: “x” is not allowed") && problem.contains(clean(paths.settingsFile)))
  }
}
