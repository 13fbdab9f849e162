import Glibc
import Harness
import Platform
import Testing

@Suite("A ring that no device makes heard")
struct BellTests {
  @Test("An attached screen rings its terminal's bell until the ring is dealt with")
  func bell() throws {
    let world = try World()
    let bytes = "\(world.folder.path)/terminal"
    let terminal = try Terminal(
      columns: 80, rows: 24, running: ["sh", "-c", "read go; exec \(world.program)"],
      environment: world.environment)
    // What the program writes, byte for byte.
    try terminal.tmux("pipe-pane", "cat >> \(bytes)")
    try terminal.press("Enter")
    func bells() -> Int { ((try? readFile(bytes)) ?? []).count { $0 == 7 } }
    try wait(until: "the screen is attached") { try terminal.ask("#{alternate_on}") == "1" }
    #expect(bells() == 0)
    try world.must("timer", "1s", "Tea")
    try wait(until: "three bells", within: .seconds(15)) { bells() >= 3 }
    #expect(try terminal.ask("#{window_bell_flag}") == "1")
    try world.must("stop")
    try wait(until: "the ring is over") { try !terminal.lines().contains { $0.contains("RINGING") } }
    let count = bells()
    usleep(1_500_000)
    #expect(bells() == count)
  }
}
