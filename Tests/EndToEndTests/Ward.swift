import Glibc
import Harness
import Platform
import Testing
import Wire

/// A world in which nothing stands between an alarm and an ear, and what a test takes away from it.
///
/// What stands in for what no test machine has:
/// - the sound card: the private sound server's null sink, which says that it leads to a loudspeaker;
/// - lid, battery, session at a seat and clock: python-dbusmock objects under the names of logind, UPower and timedated
///   on a private system bus (`Machine`);
/// - the clock that wakes the machine, and systemd that sets it: a systemd of version 254 by python-dbusmock on a private
///   session bus (`UnitManager`);
/// - the desktop: dunst on a private session bus;
/// - who starts the engine again: its own tiny parent, or the variables that systemd gives to what it executes.
struct Ward {
  let world: World
  let session: PrivateBus
  let system: PrivateBus
  let machine: Machine
  let manager: UnitManager
  let desktop: NotificationServer?

  init(
    sound: World.Sound = .pulse, settings: String? = nil, facts: Machine.Facts = .init(),
    hasDesktop: Bool = true, systemd version: String = "254"
  ) throws {
    (session, system) = (try PrivateBus(), try PrivateBus())
    machine = try Machine(system, facts)
    manager = try UnitManager(session, version: version)
    desktop = hasDesktop ? try NotificationServer(session) : nil
    world = try World(sound: sound, settings: settings)
    world.setEnvironment("DBUS_SESSION_BUS_ADDRESS", session.address)
    world.setEnvironment("DBUS_SYSTEM_BUS_ADDRESS", system.address)
  }

  /// What `alarm doctor` answers, and its exit status.
  func examine() throws -> (reply: DoctorReply, status: Platform.ExitStatus) {
    let finished = try world.alarm("doctor", "--json", within: .seconds(40))
    do {
      return (try decode(DoctorReply.self, from: finished.text), finished.status)
    } catch {
      throw RunError(description: "\(finished.text)\(finished.complaint); log: \(world.log)")
    }
  }

  /// Only the row `name` is not well: its result, a part of its finding, and something to do.
  func expect(
    only name: String, _ result: String, _ finding: String, advice: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    try Ward.expect(try examine(), only: name, result, finding, advice: advice, location: location)
  }

  static func expect(
    _ found: (reply: DoctorReply, status: Platform.ExitStatus), only name: String, _ result: String,
    _ finding: String,
    advice: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let (reply, status) = found
    let broken = reply.rows.filter { $0.result != "ok" }
    #expect(broken.map(\.name) == [name], "\(reply.rows)", sourceLocation: location)
    #expect(broken.first?.result == result, "\(broken)", sourceLocation: location)
    #expect(broken.first?.finding.contains(finding) == true, "\(broken)", sourceLocation: location)
    #expect(broken.first?.advice?.contains(advice) == true, "\(broken)", sourceLocation: location)
    #expect(reply.result == result, sourceLocation: location)
    #expect(status == .exited(result == "fail" ? 1 : 0), sourceLocation: location)
    #expect(
      reply.rows.allSatisfy { ($0.advice == nil) == ($0.result == "ok") }, "\(reply.rows)",
      sourceLocation: location)
  }
}
