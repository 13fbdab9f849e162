import Platform

/// Somebody who answers for systemd's user manager on a private bus, as far as transient timers go: python-dbusmock with a
/// template of ours, because its own knows neither a start that fails nor a unit that is there already.
public final class UnitManager {
  private let bus: PrivateBus
  private let folder: TemporaryFolder
  private var mock: DBusMock?

  /// `result`: what becomes of every start (`done`, `failed`), or `hang`: nothing is said of it.
  public init(_ bus: PrivateBus, version: String, result: String = "done") throws {
    self.bus = bus
    folder = try TemporaryFolder()
    try folder.write(Array(UnitManager.template.utf8), to: folder.file("manager.py"))
    try start(version: version, result: result)
  }

  public func start(version: String, result: String = "done") throws {
    stop()
    mock = try DBusMock(
      bus, "org.freedesktop.systemd1", at: "/org/freedesktop/systemd1",
      [
        "--template", "\(folder.path)/manager.py", "--parameters",
        "{\"Version\": \"\(version)\", \"Result\": \"\(result)\"}",
      ])
  }

  public func stop() { mock = nil }

  /// The timers that are active: `reveille-wake-7.timer @7 WakeSystem /bin/sh`.
  public func timers() throws -> [String] {
    // as 1 "…"
    let text = try mock?.call("Timers") ?? ""
    return text.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static let template = """
    import dbus
    from gi.repository import GLib
    from dbusmock import MOCK_IFACE

    BUS_NAME = 'org.freedesktop.systemd1'
    MAIN_OBJ = '/org/freedesktop/systemd1'
    MAIN_IFACE = 'org.freedesktop.systemd1.Manager'
    SYSTEM_BUS = False


    def load(mock, parameters):
        mock.timers = {}
        mock.jobs = 0
        mock.result = parameters['Result']
        mock.AddProperties(MAIN_IFACE, {'Version': parameters['Version']})


    def job(mock, name, result):
        mock.jobs += 1
        path = f'{MAIN_OBJ}/job/{mock.jobs}'
        if result != 'hang':
            # Before the answer, as systemd does it.
            mock.EmitSignal(MAIN_IFACE, 'JobRemoved', 'uoss', [mock.jobs, path, name, result])
        return path


    @dbus.service.method(MAIN_IFACE, in_signature='ssa(sv)a(sa(sv))', out_signature='o')
    def StartTransientUnit(self, name, mode, properties, aux):
        if name in self.timers:
            raise dbus.exceptions.DBusException(f'Unit {name} exists', name='org.freedesktop.systemd1.UnitExists')
        known = {str(key): value for key, value in properties}
        service, more = aux[0]
        command = dict((str(key), value) for key, value in more)['ExecStart'][0][0]
        assert service == name.replace('.timer', '.service') and mode == 'replace'
        calendar = known['TimersCalendar'][0]
        wakes = 'WakeSystem' if known['WakeSystem'] else 'sleeps on'
        assert calendar[0] == 'OnCalendar'
        if self.result == 'done':
            self.timers[str(name)] = f'{name} {calendar[1]} {wakes} {command}'
            path = MAIN_OBJ + '/unit/' + ''.join(c if c.isalnum() else '_' for c in name)
            self.AddObject(path, 'org.freedesktop.systemd1.Unit', {'ActiveState': 'active'}, [])
        return job(self, name, self.result)


    @dbus.service.method(MAIN_IFACE, in_signature='s', out_signature='o')
    def GetUnit(self, name):
        return MAIN_OBJ + '/unit/' + ''.join(c if c.isalnum() else '_' for c in name)


    @dbus.service.method(MAIN_IFACE, in_signature='ss', out_signature='o')
    def StopUnit(self, name, _mode):
        del self.timers[str(name)]
        self.RemoveObject(MAIN_OBJ + '/unit/' + ''.join(c if c.isalnum() else '_' for c in name))
        return job(self, name, 'done')


    @dbus.service.method(MOCK_IFACE, in_signature='', out_signature='as')
    def Timers(self):
        return dbus.Array(sorted(self.timers.values()), signature='s')

    """
}
