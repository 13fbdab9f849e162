import Engine
import Platform
import Schedule
import Wire

/// Does what `alarm install` says.
///
/// It writes over nothing that it did not write itself: what a person has put in the place of a file, or changed in it
/// since, stays and is named.
struct Installer {
  let call: Call
  var manifest: Manifest
  /// Something that was to be done was not.
  var isIncomplete = false
  private var unitsHaveChanged = false

  var outside: Surroundings { call.outside }
  var paths: Paths { outside.paths }

  init(_ call: Call) throws(Complaint) {
    self.call = call
    manifest = try Manifest.read(call.outside.paths)
  }

  /// The exit status. `lingers`, and `wakes` for the helper that wakes the machine: nil asks where somebody can answer.
  mutating func install(lingers: Bool?, wakes: Bool?) throws(Complaint) -> Int32 {
    guard Files.isFolder(paths.home) else {
      throw .failed("your home folder “\(paths.home)” is not there; set HOME to one that is")
    }
    guard !paths.executable.unicodeScalars.contains("\u{fffd}") else {
      throw .failed(
        "the path of this program, “\(paths.executable)”, is not valid UTF-8, and systemd takes no other: move it"
      )
    }
    let manager = UserManager(outside.runTool)
    guard manager != nil || !manifest.enabled else {
      throw .failed(
        "your systemd, whose units are installed, cannot be reached from here; say “alarm install” in a session that you logged in to, not through su or sudo"
      )
    }
    let wantsHelper = wantsHelper(wakes, manager)
    var files = Placed.all(paths, environment: outside.environment, manager: manager)
    if let helper = ownHelper(wantsHelper) { files.append(helper) }
    try place(files)
    try giveRight(isWanted: wantsHelper)
    if let manager {
      try start(by: manager)
      linger(lingers)
    } else {
      sayWithoutManager(lingers)
    }
    hint()
    return isIncomplete ? 1 : 0
  }

  // MARK: Files

  private mutating func place(_ files: [Placed]) throws(Complaint) {
    let before = manifest
    var toWrite: [Placed] = []
    for file in files {
      let ours = before[file.path]
      switch Files.look(at: file.path) {
      case .nothing:
        if let there = sharedCopy(of: file) {
          call.printLine(clean("left out “\(file.path)”: “\(there)” is there for everybody"))
          continue
        }
      case .file(file.bytes):
        call.printLine(clean("“\(file.path)” is as it should be"))
        // One that an earlier version wrote is known by its bytes from now on.
        if ours != nil { manifest.set(file.path, file.bytes) }
        continue
      case .file(let found) where ours.map { wrote($0, found) } ?? false: break
      case .file where ours != nil:
        keep(file.path, "it was changed since it was installed; remove it to have it written anew")
        continue
      case .file, .other:
        keep(file.path, "something else is there already; move it away to have ours in its place")
        continue
      }
      toWrite.append(file)
      manifest.expect(file.bytes, at: file.path)
    }
    // The helper stays where nobody has a newer one.
    let old = before.files.map(\.path).filter { path in
      path != paths.ownWakeHelper && !files.contains { $0.path == path }
    }
    guard !toWrite.isEmpty || manifest != before || !old.isEmpty else { return }

    var folders = manifest.folders
    for path in [Manifest.path(paths)] + toWrite.map(\.path) {
      folders += Files.missingFolders(of: path).filter { !folders.contains($0) }
    }
    manifest.folders = folders
    try attempt(0, of: toWrite.count) { () throws(SystemError) in
      try Files.makeFolders(Files.missingFolders(of: Manifest.path(paths)))
      try store()
    }
    for (index, file) in toWrite.enumerated() {
      try attempt(index, of: toWrite.count) { () throws(SystemError) in
        try Files.makeFolders(Files.missingFolders(of: file.path))
        try replaceFile(file.path, with: file.bytes, mode: file.mode)
      }
      call.printLine(clean("wrote “\(file.path)”"))
      manifest.set(file.path, file.bytes)
      if file.path.hasSuffix(EngineUnit.service) || file.path.hasSuffix(EngineUnit.socket) {
        unitsHaveChanged = true
      }
    }
    for path in old { removeOld(path) }
    try attempt(toWrite.count, of: toWrite.count) { () throws(SystemError) in try store() }
  }

  /// What an installation before this one needed and this one does not.
  private mutating func removeOld(_ path: String) {
    if case .file(let found) = Files.look(at: path), manifest[path].map({ wrote($0, found) }) ?? false {
      do throws(SystemError) {
        try Files.remove(path)
        call.printLine(clean("removed “\(path)”, which is no longer needed"))
      } catch {
        isIncomplete = true
        return outside.complain("\(error); remove it by hand")
      }
    }
    manifest.remove(path)
  }

  func wrote(_ file: Manifest.File, _ found: [UInt8]) -> Bool {
    file.wrote(found, outside.runTool)
  }

  private func sharedCopy(of file: Placed) -> String? {
    guard let shared = file.shared, let prefix = Installer.prefix(of: paths.executable) else { return nil }
    let path = "\(prefix)/share/\(shared)"
    if path != file.path, case .file = Files.look(at: path) { return path }
    return nil
  }

  /// `/usr/local` for `/usr/local/bin/alarm`; nil where the program is in no folder called `bin`.
  private static func prefix(of program: String) -> String? {
    program.hasSuffix("/bin/alarm") ? String(program.dropLast("/bin/alarm".count)) : nil
  }

  private mutating func keep(_ path: String, _ why: String) {
    isIncomplete = true
    outside.complain("“\(path)” was left as it is: \(why)")
  }

  func store() throws(SystemError) {
    try replaceFile(Manifest.path(paths), with: Array(manifest.text.utf8))
  }

  private func attempt(_ done: Int, of count: Int, _ body: () throws(SystemError) -> Void) throws(Complaint) {
    do throws(SystemError) {
      try body()
    } catch {
      throw .failed(
        "\(error); \(done) of \(count) files are written: mend it and say “alarm install” again, or take them back with “alarm uninstall”"
      )
    }
  }

  // MARK: Starting

  /// Enables the units and lets them take over from an engine that was started otherwise.
  private mutating func start(by manager: UserManager) throws(Complaint) {
    let wasActive = manager.serviceIsActive
    for target in ["sockets.target", "default.target"] {
      let missing = Files.missingFolders(of: "\(manager.unitFolder(paths))/\(target).wants/link")
      manifest.folders += missing.filter { !manifest.folders.contains($0) }
    }
    if let trouble = manager.trouble("daemon-reload")
      ?? manager.trouble("enable", EngineUnit.socket, EngineUnit.service)
    {
      throw .failed("systemd does not enable the units: \(trouble); mend it and say “alarm install” again")
    }
    manifest.enabled = true
    do throws(SystemError) {
      try store()
    } catch {
      throw .failed("\(error); mend it and say “alarm install” again")
    }
    call.printLine(
      "enabled \(EngineUnit.socket) and \(EngineUnit.service): the engine starts when you log in")
    if wasActive, !unitsHaveChanged { return call.printLine("the engine runs under systemd") }
    if !wasActive { try endOther() }
    let trouble =
      wasActive
      ? manager.trouble("restart", EngineUnit.service)
      : manager.trouble("start", EngineUnit.socket, EngineUnit.service)
    if let trouble {
      throw .failed(
        "the engine does not start under systemd: \(trouble); “journalctl --user -u \(EngineUnit.service)” says why"
      )
    }
    call.printLine(wasActive ? "the engine was started anew under systemd" : "the engine runs under systemd")
  }

  /// Ends an engine that runs without systemd, because only one can have the data. What rings goes on ringing under the next.
  private func endOther() throws(Complaint) {
    do throws(WireError) {
      guard let link = try outside.connect(false) else { return }
      _ = try link.ask("engine.stop", [:], as: DoneReply.self)
    } catch {
      throw Complaint(error)
    }
    guard outside.awaitEngineEnd() else {
      throw .failed(
        "the engine that runs does not end; stop it with “alarm engine stop”, and say “alarm install” again")
    }
  }

  private mutating func linger(_ wanted: Bool?) {
    let without =
      "without lingering the engine ends when you log out, and no alarm rings until you log in again"
    guard let lingering = Lingering(outside.runTool) else {
      return outside.complain("\(without); your user has no name to switch it on for")
    }
    if lingering.isOn {
      return call.printLine(
        wanted == false
          ? "lingering is on: the engine goes on after logout; “loginctl disable-linger” ends that"
          : "lingering is on: the engine goes on after logout")
    }
    var wanted = wanted
    if wanted == nil, outside.inputIsTerminal, outside.errorIsTerminal {
      outside.ask("Without lingering the engine ends when you log out. Let it go on after logout? [Y/n] ")
      wanted = outside.readLine().map { ["", "y", "yes"].contains($0.lowercased()) } ?? false
    }
    guard wanted == true else {
      return call.printLine(
        "lingering was not switched on: \(without); “alarm install --linger” switches it on")
    }
    if let trouble = lingering.set(true) {
      isIncomplete = true
      return outside.complain("lingering could not be switched on: \(trouble); \(without)")
    }
    manifest.lingering = true
    do throws(SystemError) { try store() } catch { outside.complain("\(error)") }
    call.printLine("switched lingering on: the engine starts with the machine and goes on after logout")
  }

  // MARK: What is left to do

  private mutating func sayWithoutManager(_ lingers: Bool?) {
    if lingers == true {
      isIncomplete = true
      outside.complain("lingering is a thing of systemd, and none runs for you; it was not switched on")
    }
    call.printLine(
      "no systemd runs for you, so no unit was written: desktops start the engine by the autostart entry; elsewhere put “alarm engine start” where your login starts things, such as ~/.profile"
    )
  }

  private func hint() {
    let functions = paths.dataHome + "/zsh/site-functions"
    if Files.look(at: functions + "/_alarm") != .nothing {
      call.printLine(
        clean("zsh reads its completion with “fpath+=(\(functions))” before compinit in ~/.zshrc"))
    }
    if paths.executable.contains("/.build/") {
      outside.complain(
        "“\(paths.executable)” is a build, which “make clean” takes away; “make install” puts it where it stays, and “alarm install” then names that one"
      )
    }
  }
}
