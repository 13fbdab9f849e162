import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Installed under a real systemd of the user", .serialized, .enabled(if: UserSystemd.canRun))
struct ServiceTests {
  private let world: World
  private let systemd: UserSystemd
  private let bus: PrivateBus

  init() throws {
    world = try World()
    bus = try PrivateBus()
    let address = "DBUS_SESSION_BUS_ADDRESS"
    world.setEnvironment(address, bus.environment[address])
    // A real logind keeps lingering in /var; this one keeps it in the world.
    try world.putTool(
      "loginctl",
      """
      case $1 in
        show-user) cat '\(world.folder.path)/linger' 2>/dev/null || echo no ;;
        enable-linger) echo yes >'\(world.folder.path)/linger' ;;
        disable-linger) echo no >'\(world.folder.path)/linger' ;;
      esac
      """)
    systemd = try UserSystemd(world.environment, folder: world.folder)
  }

  private func alarm(_ words: String..., input: String = "") throws -> Finished {
    try systemd.run([world.program] + words, input: input)
  }

  private func isActive(_ unit: String) throws -> String { try systemd.property("ActiveState", of: unit) }
  private func mainProcess() throws -> pid_t {
    pid_t(try systemd.property("MainPID", of: "reveille.service")) ?? 0
  }

  @Test("The units are sound, enabled and running, and an engine that ran hands over without losing an alarm")
  func install() throws {
    #expect(try alarm("add", "daily", "07:00", "--label", "Up").succeeded)
    let old = try world.enginePID()
    let installed = try alarm("install", "--no-linger")
    #expect(installed.succeeded, "\(installed.text)\(installed.complaint)")
    #expect(installed.text.contains("wrote “\(world.units)/reveille.service”\n"))
    #expect(installed.text.contains("lingering was not switched on: "))
    #expect(world.calls(of: "loginctl").allSatisfy { $0.hasPrefix("show-user ") })

    #expect(try isActive("reveille.service") == "active")
    #expect(try isActive("reveille.socket") == "active")
    #expect(try systemd.property("UnitFileState", of: "reveille.service") == "enabled")
    #expect(try systemd.property("UnitFileState", of: "reveille.socket") == "enabled")
    let engine = try world.enginePID()
    #expect(engine == (try mainProcess()) && engine != old)
    try wait(until: "the old one's parent to have gone") { world.processes() == [engine] }
    #expect(try world.list().map(\.label) == ["Up"])
    #expect(try systemd.property("StatusText", of: "reveille.service").hasPrefix("alarm 1 “Up” rings at "))
    var status = stat()
    #expect(stat(world.socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(world.folder.path + "/run/reveille", &status) == 0 && status.st_mode & 0o777 == 0o700)

    // It names man:alarm(1), which man then has to find.
    var environment = world.environment
    environment["MANPATH"] = world.shared + "/man"
    let verified = try run(
      [
        "systemd-analyze", "--user", "verify", "\(world.units)/reveille.service",
        "\(world.units)/reveille.socket",
      ],
      environment: environment)
    #expect(verified.succeeded && verified.complaint.isEmpty, "\(verified.complaint)")
  }

  @Test(
    "Said again it changes nothing and leaves the engine alone; an older unit is renewed and the engine with it"
  )
  func again() throws {
    #expect(try alarm("install", "--no-linger").succeeded)
    let before = try world.tree()
    let engine = try mainProcess()
    let again = try alarm("install", "--no-linger")
    #expect(again.succeeded)
    #expect(!again.text.contains("wrote"))
    #expect(try world.tree() == before)
    #expect(try mainProcess() == engine)

    // As an older version might have left it.
    let unit = "\(world.units)/reveille.service"
    let older = try text(of: unit) + "# older\n"
    try replaceFile(unit, with: Array(older.utf8), mode: 0o644)
    let record = world.shared + "/reveille/installed.json"
    let sum = String(decoding: try runOrThrow(["sha256sum", unit]).prefix(64), as: UTF8.self)
    let edited = try runOrThrow(
      [
        "python3", "-c",
        """
        import json, sys
        record = json.load(open(sys.argv[1]))
        for file in record["files"]:
            if file["path"] == sys.argv[2]: file["sums"] = [sys.argv[3]]
        print(json.dumps(record))
        """, record, unit, sum,
      ])
    try replaceFile(record, with: edited)
    let renewed = try alarm("install", "--no-linger")
    #expect(renewed.succeeded, "\(renewed.complaint)")
    #expect(renewed.text.contains("wrote “\(unit)”\n") && renewed.text.contains("started anew under systemd"))
    #expect(try world.tree() == before)
    #expect(try mainProcess() != engine)
  }

  @Test(
    "Stopped, it stays stopped until a command needs it; killed, it comes back; started by hand it is the unit's"
  )
  func stopAndKill() throws {
    #expect(try alarm("install", "--no-linger").succeeded)
    #expect(try alarm("add", "daily", "07:00").succeeded)
    let stopped = try alarm("engine", "stop")
    #expect(stopped.succeeded && stopped.text == "the engine has stopped\n", "\(stopped.complaint)")
    try wait(until: "the unit to be at rest") { try isActive("reveille.service") == "inactive" }
    #expect(try isActive("reveille.socket") == "active")
    #expect(try alarm("engine", "status").status == .exited(1))
    #expect(try isActive("reveille.service") == "inactive")

    #expect(try world.list().count == 1)
    let first = try mainProcess()
    #expect(first > 0 && world.processes() == [first])
    kill(first, SIGKILL)
    let second = try wait(for: "another engine") { () -> pid_t? in
      let process = try mainProcess()
      guard process > 0, process != first, try isActive("reveille.service") == "active" else { return nil }
      return process
    }
    #expect(try world.enginePID() == second)

    #expect(try alarm("engine", "stop").succeeded)
    let started = try alarm("engine", "start")
    #expect(started.succeeded && started.text.hasPrefix("the engine runs: "))
    #expect(try world.enginePID() == (try mainProcess()))

    // Without its socket too the unit is what starts it.
    #expect(try systemd.run("systemctl", "--user", "stop", "reveille.service", "reveille.socket").succeeded)
    #expect(access(world.socket, F_OK) != 0)
    #expect(try alarm("engine", "start").succeeded)
    #expect(try isActive("reveille.socket") == "active")
    #expect(try world.enginePID() == (try mainProcess()))
    #expect(world.processes().count == 1)
  }

  @Test("An engine whose loop stands still is ended by the watchdog, and started again")
  func watchdog() throws {
    mkdir(world.folder.path + "/config/systemd", 0o700)
    mkdir(world.units, 0o700)
    mkdir(world.units + "/reveille.service.d", 0o700)
    try replaceFile(
      world.units + "/reveille.service.d/sooner.conf", with: Array("[Service]\nWatchdogSec=1s\n".utf8))
    #expect(try alarm("install", "--no-linger").succeeded)
    let engine = try mainProcess()
    kill(engine, SIGSTOP)
    try wait(until: "another engine", within: .seconds(30)) {
      let process = try mainProcess()
      return process > 0 && process != engine
    }
    #expect(try world.enginePID() != engine)
    // Nothing else ends a process that stands still.
    #expect(try systemd.property("NRestarts", of: "reveille.service") == "1")
  }

  @Test("A terminal is opened on the display that the desktop told systemd of after the engine had started")
  func display() throws {
    let terminal = world.folder.path + "/terminal"
    let script =
      "#!/bin/sh\necho \"$DISPLAY $WAYLAND_DISPLAY ${NOTIFY_SOCKET-none}\" >\"$0.new\" && mv \"$0.new\" \"$0.said\"\n"
    try replaceFile(terminal, with: Array(script.utf8), mode: 0o700)
    try world.write(settings: "{ ui: { terminal: [\"\(terminal)\"] } }")
    #expect(try alarm("install", "--no-linger").succeeded)
    #expect(
      try systemd.run("systemctl", "--user", "set-environment", "DISPLAY=:7", "WAYLAND_DISPLAY=wayland-7")
        .succeeded)
    let player = "org.mpris.MediaPlayer2.reveille"
    try wait(until: "the player on the bus") { try bus.owner(of: player) != nil }
    try bus.send(
      "--dest=\(player)", "--print-reply", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Raise")
    try wait(until: "the terminal") { access(terminal + ".said", R_OK) == 0 }
    #expect(try text(of: terminal + ".said") == ":7 wayland-7 none\n")
  }

  @Test("An engine started by hand is not fought over: it is reached, and the unit comes after it")
  func otherEngine() throws {
    #expect(try alarm("install", "--no-linger").succeeded)
    #expect(try systemd.run("systemctl", "--user", "stop", "reveille.service", "reveille.socket").succeeded)
    // Out of reach of systemctl, so it is started without the unit.
    let alone = world.environment.merging(["PATH": "/nowhere"]) { $1 }
    #expect(try run([world.program, "engine", "start"], environment: alone).succeeded)
    let other = try world.enginePID()
    #expect(world.processes().count == 2)
    _ = try systemd.run("systemctl", "--user", "start", "reveille.socket")
    // The socket passes over to systemd, whose unit finds the data taken, until the other has made its own again.
    try wait(until: "the other engine to be reached again", within: .seconds(30)) {
      let isActive = try isActive("reveille.socket") == "active"
      return !isActive && (try? world.enginePID()) == other
    }
    #expect(try alarm("engine", "stop").succeeded)
    #expect(try alarm("engine", "start").succeeded)
    #expect(try world.enginePID() == (try mainProcess()))
  }

  @Test("Lingering is switched on where it is asked for, and off again by whoever switched it on")
  func lingering() throws {
    let installed = try alarm("install", "--linger")
    #expect(installed.succeeded && installed.text.contains("switched lingering on"))
    #expect(world.calls(of: "loginctl").contains { $0.hasPrefix("enable-linger ") })
    let removed = try alarm("uninstall")
    #expect(removed.succeeded && removed.text.contains("switched lingering off again"))
    #expect(try text(of: world.folder.path + "/linger") == "no\n")

    // It was on before: it stays on.
    try replaceFile(world.folder.path + "/linger", with: Array("yes\n".utf8))
    #expect(try alarm("install", "--linger").text.contains("lingering is on"))
    #expect(try alarm("uninstall").succeeded)
    #expect(try text(of: world.folder.path + "/linger") == "yes\n")
  }

  @Test("On a terminal lingering is asked for")
  func asks() throws {
    let terminal = "\(world.program) install"
    let yes = try systemd.run(["script", "-qec", terminal, "/dev/null"], input: "y\n")
    #expect(yes.text.contains("Let it go on after logout? [Y/n] "), "\(yes.text)")
    #expect(world.calls(of: "loginctl").contains { $0.hasPrefix("enable-linger ") })
  }

  @Test("Taken back, everything is as it was before, byte for byte, and alarms stay")
  func uninstall() throws {
    // What others have put into the same folders.
    for folder in ["data/applications", "data/man", "data/man/man1", "config/systemd", "config/systemd/user"]
    {
      mkdir(world.folder.path + "/" + folder, 0o755)
    }
    for file in [
      "data/applications/other.desktop", "data/man/man1/other.1", "config/systemd/user/other.service",
    ] {
      try replaceFile(world.folder.path + "/" + file, with: Array("[Unit]\n# not ours\n".utf8))
    }
    #expect(try alarm("add", "daily", "07:00").succeeded)
    let before = try world.tree()
    #expect(try alarm("install", "--no-linger").succeeded)
    #expect(try world.tree() != before)
    let removed = try alarm("uninstall")
    #expect(removed.succeeded, "\(removed.complaint)")
    #expect(removed.complaint.contains("will not ring until an engine runs"))
    #expect(try world.tree() == before)
    #expect(listFolder(world.shared + "/reveille").allSatisfy { $0 != "installed.json" })
    try wait(until: "the engine to have ended") { world.processes().isEmpty }
    #expect(access(world.socket, F_OK) != 0)
    // As before the next command starts one.
    #expect(try alarm("list").text.contains("every day 07:00"))
    #expect(world.processes().count == 2)
    #expect(try alarm("uninstall").text == "there is nothing that “alarm install” wrote\n")
  }

  @Test(
    "A program is started whatever its path has in it",
    arguments: ["a b", "$HOME %t", "it's \"so\" \\n", "ü ☕"])
  func oddPath(_ name: String) throws {
    let folder = world.folder.path + "/" + name
    mkdir(folder, 0o700)
    try runOrThrow(["cp", world.program, folder + "/alarm"])
    let installed = try systemd.run([folder + "/alarm", "install", "--no-linger"])
    #expect(installed.succeeded, "\(installed.complaint)")
    #expect(try isActive("reveille.service") == "active")
    var environment = world.environment
    environment["MANPATH"] = world.shared + "/man"
    let verified = try run(
      ["systemd-analyze", "--user", "verify", "\(world.units)/reveille.service"], environment: environment)
    #expect(verified.succeeded && verified.complaint.isEmpty, "\(verified.complaint)")
    #expect(try run(["desktop-file-validate", world.shared + "/applications/reveille.desktop"]).text.isEmpty)
    #expect(try systemd.run([folder + "/alarm", "uninstall"]).succeeded)
  }
}
