import CLinux
import Glibc
import Platform

/// The machine's services on a private bus, as facts that a test sets: logind (the closed lid, the person's session, locks),
/// UPower (battery, lid) and timedated (the clock), each an object of python-dbusmock under its real name.
public final class Machine {
  /// What they say. The defaults are those of a desktop machine whose person sits in front of it.
  public struct Facts: Sendable {
    /// `HandleLidSwitch` of logind.
    public var lidAction = "ignore"
    public var hasLid = true
    public var isOnBattery = false
    public var percentage = 80.0
    /// Seconds; 0: not known.
    public var timeToEmpty: Int64 = 0
    public var isClockSynchronised = true
    public var lingers = true
    public var isAtSeat = true
    /// The sentence with which logind refuses every lock; nil: it gives them.
    public var refusal: String?
    /// What logind says to `CanSuspend`; nil: it refuses to answer that.
    public var canSuspend: String? = "yes"
    public init() {}
  }

  private let process: pid_t

  /// Waits until all three have their names on `bus`.
  public init(_ bus: PrivateBus, _ facts: Facts = Facts()) throws {
    let script = bus.folder.path + "/machine.py"
    try replaceFile(script, with: Array(Machine.script(facts).utf8))
    let log = try Descriptor.open("\(bus.folder.path)/machine.log", O_WRONLY | O_CREAT | O_APPEND)
    process = try spawn(
      ["/usr/bin/python3", script], environment: bus.environment,
      descriptors: [(1, log.number), (2, log.number)])
    do {
      // The last one that it takes.
      try wait(until: "the machine's services") { try bus.owner(of: "org.freedesktop.UPower") != nil }
    } catch let timeout as Timeout {
      let text =
        (try? readFile("\(bus.folder.path)/machine.log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw Timeout(description: "\(timeout.description); it wrote: \(text)")
    }
  }

  deinit { endProcess(process, SIGTERM) }

  private static func script(_ facts: Facts) -> String {
    func truth(_ value: Bool) -> String { value ? "True" : "False" }
    let answer =
      facts.canSuspend.map { "ret = \"\($0)\"" }
      ?? "raise dbus.exceptions.DBusException(\"no\", name=\"org.freedesktop.DBus.Error.AccessDenied\")"
    let refusal = facts.refusal.map { "\"\($0)\"" } ?? "None"
    return """
      import os
      import dbus
      import dbus.mainloop.glib
      import dbus.service
      from dbusmock.mockobject import DBusMockObject
      from gi.repository import GLib

      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.SystemBus()
      names = []

      class Login(DBusMockObject):
          locks = []

          @dbus.service.method("org.freedesktop.login1.Manager", in_signature="ssss", out_signature="h")
          def Inhibit(self, what, who, why, mode):
              refusal = \(refusal)
              if refusal:
                  raise dbus.exceptions.DBusException(refusal, name="org.freedesktop.DBus.Error.AccessDenied")
              reading, writing = os.pipe()
              lock = (what, who, why, mode, dbus.UInt32(os.getuid()), dbus.UInt32(1))
              Login.locks.append(lock)

              def dropped(fd, condition):
                  os.close(fd)
                  Login.locks.remove(lock)
                  return False

              GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, reading, GLib.IO_HUP, dropped)
              GLib.idle_add(os.close, writing)
              return writing

          @dbus.service.method("org.freedesktop.login1.Manager", in_signature="", out_signature="a(ssssuu)")
          def ListInhibitors(self):
              return dbus.Array(Login.locks, signature="(ssssuu)")

      def own(name):
          names.append(dbus.service.BusName(name, bus, allow_replacement=True, replace_existing=True))
          return names[-1]

      login = own("org.freedesktop.login1")
      path, face = "/org/freedesktop/login1", "org.freedesktop.login1."
      manager = Login(login, path, face + "Manager", {
          "HandleLidSwitch": "\(facts.lidAction)", "HandleLidSwitchExternalPower": "\(facts.lidAction)",
          "HandleLidSwitchDocked": "ignore", "LidClosed": False, "Docked": False, "IdleHint": False,
          "OnExternalPower": \(truth(!facts.isOnBattery)),
          "BlockInhibited": "", "DelayInhibited": "", "PreparingForSleep": False,
          "InhibitDelayMaxUSec": dbus.UInt64(5000000)})
      manager.AddMethod("", "CanSuspend", "", "s", '\(answer)')
      session = path + "/session/_31"
      DBusMockObject(login, session, face + "Session", {
          "Active": \(truth(facts.isAtSeat)),
          "Seat": dbus.Struct(("seat0", dbus.ObjectPath(path + "/seat/seat0")), signature="so")})
      DBusMockObject(login, path + "/user/self", face + "User", {
          "Linger": \(truth(facts.lingers)),
          "Sessions": dbus.Array([dbus.Struct(("1", dbus.ObjectPath(session)), signature="so")],
                                 signature="(so)")})

      time = own("org.freedesktop.timedate1")
      DBusMockObject(time, "/org/freedesktop/timedate1", "org.freedesktop.timedate1", {
          "NTPSynchronized": \(truth(facts.isClockSynchronised)), "NTP": True, "Timezone": "Europe/Berlin"})

      power, path = own("org.freedesktop.UPower"), "/org/freedesktop/UPower"
      DBusMockObject(power, path, "org.freedesktop.UPower", {
          "OnBattery": \(truth(facts.isOnBattery)), "LidIsPresent": \(truth(facts.hasLid)), "LidIsClosed": False})
      DBusMockObject(power, path + "/devices/DisplayDevice", "org.freedesktop.UPower.Device", {
          "IsPresent": True, "Percentage": \(facts.percentage), "State": dbus.UInt32(2),
          "TimeToEmpty": dbus.Int64(\(facts.timeToEmpty))})

      GLib.MainLoop().run()

      """
  }
}

extension Machine {
  /// SIGSTOP: they have their names and answer nothing; `resume` lets them go on.
  public func suspend() { kill(process, SIGSTOP) }
  public func resume() { kill(process, SIGCONT) }

  /// How many locks logind holds.
  public func locks(_ bus: PrivateBus) throws -> Int {
    let text = try bus.send(
      "--print-reply", "--dest=org.freedesktop.login1", "/org/freedesktop/login1",
      "org.freedesktop.login1.Manager.ListInhibitors")
    return text.split(separator: "\n").count { $0.contains("struct {") }
  }
}
