import Foundation
import Testing

@testable import Schedule

/// A private machine: a folder with zone files and an `etc`, removed with the test.
private final class Machine {
  let root: String
  var zoneinfo: String { root + "/zoneinfo" }
  var etc: String { root + "/etc" }

  init() throws {
    var template = Array("/tmp/reveille-zones-XXXXXX\0".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    root = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let files = FileManager.default
    for folder in ["/zoneinfo/Europe", "/zoneinfo/posix/Europe", "/etc"] {
      try files.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
    for name in ["Europe/Berlin", "Europe/Lisbon", "posix/Europe/Berlin", "UTC"] {
      let source = name.hasPrefix("posix/") ? String(name.dropFirst(6)) : name
      try files.copyItem(atPath: "/usr/share/zoneinfo/" + source, toPath: zoneinfo + "/" + name)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func library(_ environment: [String: String] = [:]) -> ZoneLibrary {
    ZoneLibrary(folders: [zoneinfo], etc: etc, variable: { environment[$0] })
  }

  func link(_ target: String) throws {
    try? FileManager.default.removeItem(atPath: etc + "/localtime")
    try FileManager.default.createSymbolicLink(atPath: etc + "/localtime", withDestinationPath: target)
  }
}

@Suite("The machine's zone")
struct ZoneLibraryTests {
  private let summer = Instant(seconds: 1_782_900_000)

  @Test("Two zones differ from the first instant at which their clocks do, and not before")
  func disagreement() throws {
    let berlin = try #require(Zone("Europe/Berlin"))
    let start = try #require(Instant(iso: "2026-11-30T00:00:00Z"))
    let end = start + .seconds(2 * 366 * 86_400)
    #expect(berlin.disagreement(with: try #require(Zone("Europe/Paris")), from: start, until: end) == nil)
    let lagos = try #require(Zone("Africa/Lagos"))
    let turn = try #require(Instant(iso: "2027-03-28T01:00:00Z"))
    #expect(berlin.disagreement(with: lagos, from: start, until: end) == turn)
    #expect(lagos.disagreement(with: berlin, from: start, until: end) == turn)
    #expect(berlin.disagreement(with: try #require(Zone("Asia/Tokyo")), from: start, until: end) == start)
    #expect(Zone.ofSystem("Europe/Berlin") == berlin && Zone.ofSystem("Nowhere/Else") == nil)
  }

  @Test("The zone in force is that of the C library, for two years")
  func cLibrary() throws {
    let start = try #require(Instant(iso: "2026-11-30T00:00:00Z"))
    let end = start + .seconds(2 * 366 * 86_400)
    #expect(Zone.current().disagreementWithCLibrary(from: start, until: end) == nil)
    // Whichever it is, it is not both of these.
    let others = try ["Asia/Kathmandu", "America/St_Johns"].map { try #require(Zone($0)) }
    #expect(others.contains { $0.disagreementWithCLibrary(from: start, until: end) != nil })
  }

  @Test(
    "TZ is read as the C library reads it",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", 7200), (":Europe/Lisbon", "Europe/Lisbon", 3600),
      ("posix/Europe/Berlin", "Europe/Berlin", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 7200), ("<-03>3", "<-03>3", -10_800),
      ("XXX-5:30", "XXX-5:30", 19_800), ("EST5EDT", "EST5EDT", -14_400), ("", "UTC", 0),
      ("Nowhere/Else", "UTC", 0),
      ("../../etc/passwd", "UTC", 0), ("/nowhere", "UTC", 0),
    ])
  func variable(value: String, name: String, offset: Int) throws {
    let machine = try Machine()
    let zone = machine.library(["TZ": value]).current()
    #expect(zone.identifier == name && zone.offset(at: summer) == offset)
  }

  @Test("without TZ the link /etc/localtime says it, and is read anew each time")
  func link() throws {
    let machine = try Machine()
    let library = machine.library()
    #expect(library.current() == .utc)
    try machine.link(machine.zoneinfo + "/Europe/Berlin")
    #expect(library.current().identifier == "Europe/Berlin" && library.current().offset(at: summer) == 7200)
    try machine.link("../zoneinfo/Europe/Lisbon")
    #expect(library.current().identifier == "Europe/Lisbon" && library.current().offset(at: summer) == 3600)
    try machine.link("/nowhere")
    #expect(library.current().identifier == "UTC")
  }

  @Test("a copy in place of the link takes its name from /etc/timezone, if that says the same")
  func copy() throws {
    let machine = try Machine()
    let library = machine.library()
    try FileManager.default.copyItem(
      atPath: machine.zoneinfo + "/Europe/Berlin", toPath: machine.etc + "/localtime")
    #expect(library.current().identifier == "localtime" && library.current().offset(at: summer) == 7200)
    try "Europe/Lisbon\n".write(toFile: machine.etc + "/timezone", atomically: true, encoding: .utf8)
    #expect(library.current().identifier == "localtime" && library.current().offset(at: summer) == 7200)
    try "Europe/Berlin\n".write(toFile: machine.etc + "/timezone", atomically: true, encoding: .utf8)
    #expect(library.current().identifier == "Europe/Berlin")
    try FileManager.default.removeItem(atPath: machine.etc + "/localtime")
    #expect(library.current().identifier == "Europe/Berlin")
  }

  @Test("a zone file that was replaced by another law is read again, and the zones differ")
  func replaced() throws {
    let machine = try Machine()
    let library = machine.library()
    let before = try #require(library.zone(named: "Europe/Berlin"))
    #expect(library.zone(named: "Europe/Berlin") == before)
    let path = machine.zoneinfo + "/Europe/Berlin"
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: machine.zoneinfo + "/Europe/Lisbon", toPath: path)
    let after = try #require(library.zone(named: "Europe/Berlin"))
    #expect(after != before && after.offset(at: summer) == 3600 && before.offset(at: summer) == 7200)
  }

  @Test("without any data UTC is known, and nothing else")
  func noData() {
    let library = ZoneLibrary(folders: ["/nowhere"], etc: "/nowhere", variable: { _ in nil })
    #expect(library.current() == .utc && library.identifiers() == ["UTC"])
    #expect(library.zone(named: "UTC") == .utc && library.zone(named: "Europe/Berlin") == nil)
  }

  @Test("only zones are listed")
  func listed() throws {
    let machine = try Machine()
    #expect(machine.library().identifiers() == ["Europe/Berlin", "Europe/Lisbon", "UTC"])
    #expect(machine.library(["TZDIR": "/usr/share/zoneinfo"]).identifiers().contains("Asia/Tokyo"))
  }

  @Test("damaged zone files are refused or read, and never trap")
  func damage() throws {
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Lisbon")))
    #expect(ZoneTable(file: whole) != nil)
    var random = Seeded(11)
    for length in 0..<min(whole.count, 3600) { #expect(ZoneTable(file: Array(whole[..<length])) == nil) }
    for _ in 0..<4000 {
      var bytes = whole
      for _ in 0...random.below(6) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      guard let table = ZoneTable(file: bytes) else { continue }
      for _ in 0..<8 {
        _ = table.offset(at: Int64.random(in: -9_000_000_000_000...9_000_000_000_000, using: &random))
        _ = table.resolve(day: random.below(200_000) - 100_000, secondOfDay: random.below(86_400))
      }
    }
  }

  @Test(
    "rules for the years to come that are none are refused",
    arguments: [
      "CE-1", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,J0,J365",
      "CET-1CEST,M3.5.0,M10.5.0/", "CET-200", "CET-1:99", "<CET-1", "", "CET-1CEST,M3.5.0,M10.5.0x", "1234",
    ])
  func badRules(text: String) { #expect(PosixRule(text) == nil) }
}
