import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Installing without systemd", .serialized)
struct InstallTests {
  @Test(
    "The engine is started by the desktop's session, the entries are valid, and all is taken back byte for byte"
  )
  func withoutSystemd() throws {
    let world = try World()
    let before = try world.tree()
    let installed = try world.alarm("install")
    #expect(installed.succeeded, "\(installed.complaint)")
    #expect(installed.text.contains("no systemd runs for you, so no unit was written"))
    #expect(!installed.text.contains("lingering"))
    #expect(access(world.units, F_OK) != 0)
    let files = [
      "config/autostart/reveille.desktop", "data/applications/reveille.desktop",
      "data/icons/hicolor/scalable/apps/reveille.svg", "data/man/man1/alarm.1",
      "data/bash-completion/completions/alarm",
      "data/zsh/site-functions/_alarm", "data/fish/vendor_completions.d/alarm.fish",
    ]
    for file in files {
      #expect(installed.text.contains("wrote “\(world.folder.path)/\(file)”\n"))
      #expect(access("\(world.folder.path)/\(file)", R_OK) == 0)
    }
    for file in files where file.hasSuffix(".desktop") {
      let validated = try run(["desktop-file-validate", "\(world.folder.path)/\(file)"])
      #expect(validated.succeeded && validated.text.isEmpty, "\(validated.text)")
    }
    // What the session would run.
    let line = try #require(
      try text(of: "\(world.folder.path)/config/autostart/reveille.desktop").split(separator: "\n").first {
        $0.hasPrefix("Exec=")
      })
    #expect(line == "Exec=\"\(world.program)\" engine start")
    #expect(world.processes().isEmpty)

    let tree = try world.tree()
    #expect(!(try world.alarm("install").text).contains("wrote"))
    #expect(try world.tree() == tree)
    let removed = try world.alarm("uninstall")
    #expect(removed.succeeded && removed.text.hasSuffix("alarms and settings stay\n"))
    #expect(try world.tree() == before)
    #expect(access(world.shared + "/reveille", F_OK) != 0)
    #expect(world.processes().isEmpty)
  }

  @Test("What is there already is not written over, what was changed since is kept, and both are named")
  func keepsWhatIsNotOurs() throws {
    let world = try World()
    let entry = world.shared + "/applications/reveille.desktop"
    mkdir(world.shared + "/applications", 0o700)
    try replaceFile(entry, with: Array("mine\n".utf8))
    let page = world.shared + "/man/man1/alarm.1"
    mkdir(world.shared + "/man", 0o700)
    symlink(world.folder.path + "/home", world.shared + "/man/man1")
    let installed = try world.alarm("install")
    #expect(installed.status == .exited(1))
    #expect(installed.complaint.contains("“\(entry)” was left as it is: something else is there already"))
    #expect(try text(of: entry) == "mine\n")

    try replaceFile(page, with: try readFile(page) + Array(".\\\" my note\n".utf8))
    let again = try world.alarm("install")
    #expect(again.complaint.contains("“\(page)” was left as it is: it was changed since it was installed"))
    let before = try world.tree()
    let removed = try world.alarm("uninstall")
    #expect(removed.succeeded)
    #expect(removed.complaint.contains("“\(page)” was changed since it was installed and stays"))
    #expect(try text(of: entry) == "mine\n")
    #expect(try text(of: page).hasSuffix("my note\n"))
    let left = try world.tree()
    #expect(left.allSatisfy { before[$0.key] == $0.value })
    #expect(Set(left.keys).isSuperset(of: ["/data/applications/reveille.desktop", "/home/alarm.1"]))
    #expect(!left.keys.contains { $0.contains("zsh") || $0.contains("autostart") })
  }

  @Test(
    "A failure half-way names the file and how many are written, leaves no half of one, and can be mended or taken back"
  )
  func halfWay() throws {
    let world = try World()
    // A file where a folder has to be.
    try replaceFile(world.shared + "/bash-completion", with: Array("x".utf8))
    let before = try world.tree()
    let failed = try world.alarm("install")
    #expect(failed.status == .exited(1))
    #expect(
      failed.complaint.contains(
        "“\(world.shared)/bash-completion/completions”: not a directory; 4 of 7 files are written"))
    #expect(failed.complaint.contains("take them back with “alarm uninstall”"))
    #expect(!(try world.tree()).keys.contains { $0.hasSuffix(".new") })
    #expect(try world.alarm("uninstall").succeeded)
    #expect(try world.tree() == before)

    #expect(try world.alarm("install").status == .exited(1))
    unlink(world.shared + "/bash-completion")
    #expect(try world.alarm("install").succeeded)
    #expect(access(world.shared + "/bash-completion/completions/alarm", F_OK) == 0)
    #expect(try world.alarm("uninstall").succeeded)
    #expect(try world.tree().isEmpty)
  }

  @Test("A full disk leaves no half-written file")
  func fullDisk() throws {
    let world = try World()
    let before = try world.tree()
    // What is remembered of the files is longer than a file may be here, and comes before them.
    let failed = try run(
      ["bash", "-c", "ulimit -f 20; exec \"$0\" install", world.program], environment: world.environment)
    #expect(failed.status == .exited(1), "\(failed.status) \(failed.complaint)")
    #expect(failed.complaint.contains("installed.json"))
    #expect(try world.tree() == before)
    #expect(listFolder(world.shared + "/reveille").allSatisfy { !$0.hasPrefix("installed") })
    #expect(try world.alarm("uninstall").succeeded)
    #expect(try world.tree() == before)
  }

  @Test("Units that are installed are not taken away because systemd cannot be reached from here")
  func managerOutOfReach() throws {
    let world = try World()
    try world.putTool("systemctl", "case \"$*\" in *is-active*) exit 3 ;; esac; exit 0")
    try world.putTool("loginctl", "echo no")
    let installed = try world.alarm("install", "--no-linger")
    // The one that asks is answered by no manager that says where it reads units, so by the usual place.
    #expect(installed.succeeded, "\(installed.complaint)")
    let unit = world.folder.path + "/home/.config/systemd/user/reveille.service"
    #expect(try text(of: unit).contains("Environment=\"XDG_DATA_HOME=\(world.shared)\"\n"))
    #expect(
      world.calls(of: "systemctl") == [
        "--user show-environment", "--user is-active --quiet reveille.service", "--user daemon-reload",
        "--user enable reveille.socket reveille.service", "--user start reveille.socket reveille.service",
      ])
    try world.putTool("systemctl", "echo 'Failed to connect to bus' >&2; exit 1")
    let again = try world.alarm("install")
    #expect(again.status == .exited(1) && again.complaint.contains("not through su or sudo"))
    #expect(access(unit, F_OK) == 0)
    let removed = try world.alarm("uninstall")
    #expect(removed.succeeded && removed.complaint.contains("no systemd runs for you"))
    #expect(try world.tree().isEmpty)
  }

  @Test("What systemd or logind refuse is said in their words, and the status is 1")
  func refusals() throws {
    let world = try World()
    try world.putTool(
      "systemctl", "case \"$*\" in *enable\\ reveille*) echo 'Unit is masked.' >&2; exit 1 ;; esac; exit 0")
    let masked = try world.alarm("install", "--linger")
    #expect(masked.status == .exited(1))
    #expect(masked.complaint.contains("systemd does not enable the units: Unit is masked.; mend it"))
    try world.putTool("systemctl", "exit 0")
    try world.putTool(
      "loginctl", "case $1 in enable-linger) echo 'Access denied' >&2; exit 1 ;; esac; echo no")
    let denied = try world.alarm("install", "--linger")
    #expect(denied.status == .exited(1))
    #expect(denied.complaint.contains("lingering could not be switched on: Access denied; without lingering"))
  }

  @Test("What an earlier version installed, which remembered digests, is renewed and taken back all the same")
  func olderVersion() throws {
    let world = try World()
    #expect(try world.alarm("install").succeeded)
    let manifest = world.shared + "/reveille/installed.json"
    let page = world.shared + "/man/man1/alarm.1"
    let entry = world.shared + "/applications/reveille.desktop"
    // The page is another one than ours, as an earlier version's is; the entry was changed since.
    try replaceFile(page, with: Array("an earlier page\n".utf8))
    func remember() throws {
      let files = try world.tree().keys.filter { $0.contains("alarm") || $0.contains("reveille.") }
        .map { world.folder.path + $0 }
        .filter { access($0 + "/", F_OK) != 0 }
      let entries = try files.sorted().map { path in
        let sum = String(decoding: try runOrThrow(["sha256sum", path]).prefix(64), as: UTF8.self)
        return "{\"path\": \"\(path)\", \"sums\": [\"\(sum)\"]}"
      }
      try replaceFile(
        manifest,
        with: Array(
          "{\"enabled\": false, \"lingering\": false, \"folders\": [], \"files\": [\(entries.joined(separator: ","))]}"
            .utf8))
    }
    try remember()
    try replaceFile(entry, with: try readFile(entry) + Array("# mine\n".utf8))
    let again = try world.alarm("install")
    #expect(again.status == .exited(1))
    #expect(again.text.contains("wrote “\(page)”\n"))
    #expect(again.complaint.contains("“\(entry)” was left as it is: it was changed since"))
    #expect(try readFile(page) != Array("an earlier page\n".utf8))
    try replaceFile(page, with: Array("an earlier page\n".utf8))
    try remember()
    try replaceFile(entry, with: try readFile(entry) + Array("# and more\n".utf8))
    let removed = try world.alarm("uninstall")
    #expect(removed.succeeded, "\(removed.complaint)")
    #expect(access(page, F_OK) != 0 && access(entry, F_OK) == 0)
    #expect(try world.tree().filter { !$0.value.isEmpty }.count == 1)
  }

  @Test("The helper gets its capability from root, and goes with all the rest", .enabled(if: getuid() == 0))
  func wakeHelper() throws {
    let world = try World()
    let before = try world.tree()
    let helper = world.shared + "/reveille/alarm-wake"
    let installed = try world.alarm("install", "--wake-helper")
    #expect(installed.succeeded, "\(installed.complaint)")
    #expect(installed.text.contains("wrote “\(helper)”\n"))
    let shown = String(decoding: try runOrThrow(["getcap", helper]), as: UTF8.self)
    #expect(shown == "\(helper) cap_wake_alarm=ep\n")
    let built = try readFile(try builtProgram("alarm-wake"))
    #expect(try readFile(helper) == built)
    if Clocks.canWake {
      #expect(installed.text.contains("“\(helper)” may wake the sleeping machine for alarms"))
    } else {
      #expect(installed.complaint.contains("but the machine has no clock that wakes it"))
    }
    let again = try world.alarm("install")
    #expect(again.succeeded && !again.text.contains("wrote"), "\(again.text)")
    #expect(WakeCapability.isSet(on: helper))
    #expect(try world.alarm("uninstall").succeeded)
    #expect(access(helper, F_OK) != 0)
    #expect(try world.tree() == before)
  }

  @Test(
    "On a terminal sudo asks for the password there, and what it does not do is a line for root",
    .enabled(if: getuid() == 0))
  func sudo() throws {
    let world = try World()
    let place = world.folder.path
    mkdir(place + "/bin", 0o755)
    for program in [world.program, try builtProgram("alarm-wake")] {
      try runOrThrow(["cp", program, place + "/bin"])
    }
    try world.putTool("sudo", "read -r secret </dev/tty && echo \"$secret\" >'\(place)/secret'")
    let helper = place + "/data/reveille/alarm-wake"
    // Somebody who is not root.
    try runOrThrow(["chown", "-R", "65534:65534", place])
    let installed = try run(
      [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
        "script", "-qec", "\(place)/bin/alarm install --wake-helper; echo status $?", "/dev/null",
      ], input: Array("secret word\n".utf8), environment: world.environment)
    #expect(installed.text.contains("sudo setcap cap_wake_alarm+ep \(helper)"), "\(installed.text)")
    #expect(installed.text.contains("say as root “setcap cap_wake_alarm+ep \(helper)”"), "\(installed.text)")
    #expect(installed.text.contains("status 1"))
    #expect(try text(of: place + "/secret") == "secret word\n")
    #expect(world.calls(of: "sudo") == ["setcap cap_wake_alarm+ep \(helper)"])
    // Root says the line.
    try runOrThrow(["setcap", "cap_wake_alarm+ep", helper])
    let again = try run(
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", place + "/bin/alarm", "install"],
      environment: world.environment)
    #expect(again.succeeded && world.calls(of: "sudo").count == 1, "\(again.complaint)")
  }

  @Test(
    "On a terminal the helper is offered where the machine has a clock that wakes it",
    .enabled(if: getuid() == 0))
  func offersHelper() throws {
    let world = try World()
    // Where it has none, the question whether it has is answered for the kernel.
    world.setEnvironment("LD_PRELOAD", try ClockShim.make(in: world.folder))
    let terminal = ["script", "-qec", "\(world.program) install", "/dev/null"]
    let helper = world.shared + "/reveille/alarm-wake"
    let no = try run(terminal, input: Array("n\n".utf8), environment: world.environment)
    #expect(no.text.contains("Install a helper that may, with sudo? [Y/n] "), "\(no.text)")
    #expect(access(helper, F_OK) != 0)
    let yes = try run(terminal, input: Array("y\n".utf8), environment: world.environment)
    #expect(yes.text.contains("“\(helper)” may wake the sleeping machine for alarms"), "\(yes.text)")
    #expect(WakeCapability.isSet(on: helper))
    let again = try run(terminal, environment: world.environment)
    #expect(!again.text.contains("[Y/n]"), "\(again.text)")
    #expect(try world.alarm("uninstall").succeeded)
    #expect(access(helper, F_OK) != 0)
  }

  @Test("What make install put there for everybody is left out")
  func sharedFiles() throws {
    let world = try World()
    let prefix = world.folder.path + "/usr"
    try runOrThrow([
      "make", "-s", "-C", ReadmeTests.top, "install", "PREFIX=\(prefix)", "PROGRAM=\(world.program)",
    ])
    let installed = try run([prefix + "/bin/alarm", "install"], environment: world.environment)
    #expect(installed.succeeded, "\(installed.complaint)")
    #expect(Set(try world.tree().keys) == ["/config/autostart", "/config/autostart/reveille.desktop"])
    #expect(installed.text.contains("“\(prefix)/share/man/man1/alarm.1” is there for everybody"))
    let helper = prefix + "/libexec/reveille/alarm-wake"
    #expect(access(helper, X_OK) == 0 && !WakeCapability.isSet(on: helper))
    if getuid() == 0 {
      let woken = try run(
        [prefix + "/bin/alarm", "install", "--wake-helper"], environment: world.environment)
      #expect(woken.succeeded && WakeCapability.isSet(on: helper), "\(woken.complaint)")
      #expect(access(world.shared + "/reveille/alarm-wake", F_OK) != 0)
      let back = try run([prefix + "/bin/alarm", "uninstall"], environment: world.environment)
      #expect(back.text.contains("“\(helper)” may not wake the machine any more"))
      #expect(!WakeCapability.isSet(on: helper))
    }
    for file in [
      "man/man1/alarm.1", "bash-completion/completions/alarm", "zsh/site-functions/_alarm",
      "fish/vendor_completions.d/alarm.fish", "applications/reveille.desktop",
    ] {
      #expect(try !readFile("\(prefix)/share/\(file)").isEmpty)
    }
    try runOrThrow(["make", "-s", "-C", ReadmeTests.top, "uninstall", "PREFIX=\(prefix)"])
    let left = try runOrThrow(["find", prefix, "-not", "-type", "d"])
    #expect(left.isEmpty, "\(String(decoding: left, as: UTF8.self))")
  }
}
