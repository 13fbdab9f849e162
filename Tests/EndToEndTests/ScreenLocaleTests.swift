import Glibc
import Harness
import Platform
import Testing

@Suite("The screen in other languages' locales", .serialized)
struct ScreenLocaleTests {
  /// Builds a locale into the world's own folder (localedef(1)), where the C library looks for it by LOCPATH.
  private func use(_ locale: String, _ charset: String, _ world: World) throws {
    let folder = world.folder.path + "/locales"
    mkdir(folder, 0o700)
    let name = "\(locale).\(charset)"
    // It complains of what the locale's own authors left out, and makes it.
    let made = try run(
      ["localedef", "--no-archive", "-c", "-i", locale, "-f", charset, "\(folder)/\(name)"],
      environment: ["PATH": "/usr/bin:/bin"])
    guard access("\(folder)/\(name)/LC_TIME", R_OK) == 0 else {
      throw RunError(description: "localedef made no \(name): \(made.complaint)")
    }
    world.setEnvironment("LOCPATH", folder)
    world.setEnvironment("LC_ALL", name)
  }

  private func screen(_ world: World) throws -> Emulator {
    let screen = try Emulator(
      columns: 132, rows: 43, running: [world.program],
      environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
    try screen.see("1 Clock")
    return screen
  }

  /// What date(1) says in the same locale and zone; the day may change meanwhile.
  private func wordings(_ format: String, _ world: World) throws -> [String] {
    try ["now", "next minute", "yesterday"].map { day in
      let words = ["date", "-d", day, "+\(format)"]
      return String(decoding: try runOrThrow(words, environment: world.environment), as: UTF8.self)
        .split(separator: "\n").joined()
    }
  }

  @Test(
    "Names of days and months and the day with which a week begins are the locale's",
    arguments: [
      ("de_DE", "Mo Di Mi Do Fr Sa So"), ("ja_JP", "日 月 火 水 木 金 土"), ("en_US", "Su Mo Tu We Th Fr Sa"),
      ("fr_FR", "lu ma me je ve sa di"),
    ])
  func names(_ locale: String, _ week: String) throws {
    let world = try World(settings: "{ ui: { clock: 12 } }")
    try use(locale, "UTF-8", world)
    try world.must("add", "daily", "07:00")
    let screen = try screen(world)
    let dates = try wordings("%A %-d %B %Y", world)
    try screen.wait(until: "one of \(dates) is shown", within: .seconds(20)) { lines in
      lines.contains { line in dates.contains { line.contains($0) } }
    }
    try screen.see(week)
    let month = try wordings("%B %Y", world)
    #expect(try screen.lines().contains { line in month.contains { line.contains($0) } })
    // The next alarm's day, in short, in the list; before noon by the locale's word for it, or the usual one.
    try screen.type("2")
    let half =
      try run(
        ["date", "-d", "07:00", "+%p"], environment: world.environment
      ).text.split(separator: "\n").first.map(String.init) ?? "AM"
    try screen.see("7:00 \(half)")

  }

  @Test("In a locale that is not UTF-8 all is drawn in ASCII, and its week begins as it does there")
  func latin() throws {
    for (locale, week) in [("en_US", "Su Mo Tu We Th Fr Sa"), ("de_DE", "Mo Tu We Th Fr Sa Su")] {
      let world = try World()
      try use(locale, "ISO-8859-1", world)
      try world.must("add", "07:00", "--label", "Frühstück 早")
      let screen = try screen(world)
      try screen.see(week)
      try screen.see("Fr?hst?ck ?")
      #expect(try screen.bytes().allSatisfy { $0 < 0x80 })
    }
  }
}
