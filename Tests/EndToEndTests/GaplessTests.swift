import Glibc
import Harness
import Platform
import Testing

@Suite("The queue without gaps")
struct GaplessTests {
  @Test("Three files played by one command come out of the device as one piece, bit for bit")
  func queue() throws {
    let world = try World()
    let capture = world.folder.path + "/capture.raw"
    try world.folder.write(
      Array("pcm.!default { type file slave.pcm \"null\" file \"\(capture)\" format raw }\n".utf8),
      to: world.folder.file("home/.asoundrc"))
    try world.write(settings: #"{ keepAlive: { when: "lease" } }"#)
    let whole = try world.makeTone("whole.wav", seconds: 6, hertz: 997, rate: 44_100)
    var parts: [String] = []
    for (index, (start, end)) in [(0, 90_001), (90_001, 171_003), (171_003, 264_600)].enumerated() {
      let part = world.folder.path + "/part\(index).flac"
      try runOrThrow(["sox", "-D", whole, part, "trim", "\(start)s", "\(end - start)s"])
      parts.append(part)
    }
    let finished = try world.alarm(["play"] + parts)
    #expect(finished.succeeded)
    try world.waitForStatus("the last track") { $0.queue.index == 2 }
    try world.waitForStatus("the end") { $0.player.state == "stopped" && $0.output.state == "closed" }
    #expect(try world.status().output.opens == 1)
    func frames(_ bytes: [UInt8]) -> [Int64] {
      bytes.withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
    }
    let heard = frames(try readFile(capture, limit: 1 << 28)).drop { $0 == 0 }
    let expected = frames(try runOrThrow(["sox", "-D", whole, "-t", "s32", "-"])).drop { $0 == 0 }
    let isEqual = heard.prefix(expected.count).elementsEqual(expected)
    #expect(isEqual)
    let endsThere = heard.dropFirst(expected.count).allSatisfy { $0 == 0 }
    #expect(endsThere)
  }
}
