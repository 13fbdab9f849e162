import Harness
import Platform
import Testing

@Suite("The desktop entry and its icon")
struct DesktopEntryTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    + "/Sources/Commands/Service/Resources"

  @Test("desktop-file-validate has nothing to complain of")
  func entry() throws {
    let finished = try run(["desktop-file-validate", "\(DesktopEntryTests.folder)/reveille.desktop"])
    #expect(finished.succeeded && finished.text.isEmpty, "\(finished.text)")
  }

  @Test("The icon can be drawn as small as a panel shows it", arguments: [16, 48, 256])
  func icon(_ size: Int) throws {
    let picture = try runOrThrow([
      "rsvg-convert", "-w", "\(size)", "-h", "\(size)", "\(DesktopEntryTests.folder)/reveille.svg",
    ])
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }
}
