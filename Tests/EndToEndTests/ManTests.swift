import Harness
import Platform
import Testing

@Suite("The manual")
struct ManTests {
  @Test(
    "man shows it without a warning, in any locale and width", arguments: ["C.UTF-8", "C"], [40, 80, 200])
  func noWarning(_ locale: String, _ width: Int) throws {
    let world = try World()
    try world.folder.write(Array(try world.must("help", "man").utf8), to: world.folder.file("alarm.1"))
    var environment = world.environment
    environment["MANWIDTH"] = "\(width)"
    environment["LC_ALL"] = locale
    let shown = try run(
      ["man", "--warnings=w", "-l", world.folder.path + "/alarm.1"], environment: environment)
    #expect(shown.succeeded)
    // A word that is longer than a narrow line cannot be broken.
    let complaints = shown.complaint.split(separator: "\n").filter {
      width > 40 || !$0.contains("can't ") && !$0.contains("cannot ")
    }
    #expect(complaints.isEmpty, "\(shown.complaint)")
    #expect(shown.text.contains("alarm awake"))
  }

  @Test("Once installed man finds it by its name")
  func isFound() throws {
    let world = try World()
    #expect(try world.alarm("install").succeeded)
    var environment = world.environment
    environment["MANPATH"] = world.shared + "/man"
    let found = try run(["man", "-w", "alarm"], environment: environment)
    #expect(found.text == world.shared + "/man/man1/alarm.1\n")
  }
}
