import Desktop
import Harness
import Platform

/// A notification server in this process that answers what a test wants it to, on a connection of its own.
final class ScriptedServer {
  var capabilities: BusValue
  /// What `Notify` answers; the argument is how often it was called before.
  var answer: (Int) throws(BusError) -> [BusValue]
  private(set) var calls: [Received] = []
  private(set) var closed: [Int64] = []
  private let bus: Bus
  private var object: ExportedObject?
  private var name: OwnedName?

  init(
    _ loop: EventLoop, _ environment: [String: String], capabilities: BusValue = .strings(["body"]),
    answer: @escaping (Int) throws(BusError) -> [BusValue] = { [.uint32(UInt32($0) + 1)] }
  ) throws {
    (self.capabilities, self.answer) = (capabilities, answer)
    bus = try Bus(loop, .session, environment: environment)
    object = ExportedObject(
      bus, "/org/freedesktop/Notifications",
      [
        BusInterface(
          "org.freedesktop.Notifications",
          methods: [
            BusMethod("GetCapabilities", gives: "as") { [weak self] _ throws(BusError) in
              self.map { [$0.capabilities] } ?? []
            },
            BusMethod("Notify", takes: "susssasa{sv}i", gives: "u") { [weak self] call throws(BusError) in
              guard let self else { return [] }
              calls.append(call)
              return try self.answer(calls.count - 1)
            },
            BusMethod("CloseNotification", takes: "u") { [weak self] call throws(BusError) in
              self?.closed.append(call[0]?.number ?? -1)
              return []
            },
          ])
      ])
    name = OwnedName(bus, "org.freedesktop.Notifications")
  }

  deinit { bus.close() }

  func tell(_ signal: String, _ arguments: [BusValue]) {
    object?.emit("org.freedesktop.Notifications", signal, arguments)
  }
}
