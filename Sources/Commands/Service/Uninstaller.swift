import Glibc
import Platform
import Wire

/// Does what `alarm uninstall` says: takes back what stands in the manifest, and nothing else.
struct Uninstaller {
  let call: Call
  private var manifest: Manifest
  private var isIncomplete = false

  private var outside: Surroundings { call.outside }

  init(_ call: Call) throws(Complaint) {
    self.call = call
    manifest = try Manifest.read(call.outside.paths)
  }

  /// The exit status.
  mutating func uninstall() throws(Complaint) -> Int32 {
    guard !manifest.isEmpty else {
      call.printLine("there is nothing that “alarm install” wrote")
      return 0
    }
    let manager = manifest.enabled ? UserManager(outside.runTool) : nil
    if manifest.enabled { disable(manager) }
    try takeRight()
    for file in manifest.files { remove(file) }
    removeLinks()
    if let trouble = manager?.trouble("daemon-reload") {
      outside.complain("systemd does not read its units anew: \(trouble)")
    }
    switchLingeringOff()
    try end()
    return isIncomplete ? 1 : 0
  }

  private mutating func disable(_ manager: UserManager?) {
    guard let manager else {
      return outside.complain(
        "no systemd runs for you; if the engine runs under one all the same, end it with “alarm engine stop”")
    }
    let pending = manager.serviceIsActive ? pending() : nil
    if let trouble = manager.trouble("disable", "--now", EngineUnit.service, EngineUnit.socket) {
      isIncomplete = true
      outside.complain("systemd does not disable the units: \(trouble)")
    } else {
      call.printLine("disabled \(EngineUnit.socket) and \(EngineUnit.service), and ended the engine")
    }
    if let pending {
      outside.complain("\(pending) will not ring until an engine runs; “alarm engine start” starts one")
    }
  }

  private func pending() -> String? {
    do throws(WireError) {
      return try outside.connect(false).flatMap { link throws(WireError) in
        Command.pending(try link.ask("status", [:], as: Status.self), at: outside.now())
      }
    } catch {
      return nil
    }
  }

  /// One's own helper takes its right along when it goes.
  private mutating func takeRight() throws(Complaint) {
    guard let path = manifest.capable else { return }
    let right = WakeRight(path, outside)
    if right.isGiven {
      // Before sudo writes to the same terminal.
      try outside.flush()
      if let trouble = right.take() {
        isIncomplete = true
        return outside.complain(
          "“\(path)” may still wake the machine: \(trouble); say as root “\(right.takingLine)”, and then “alarm uninstall” again"
        )
      }
      call.printLine(clean("“\(path)” may not wake the machine any more"))
    }
    manifest.capable = nil
  }

  private mutating func remove(_ file: Manifest.File) {
    switch Files.look(at: file.path) {
    case .nothing: break
    case .file(let found) where file.wrote(found, outside.runTool):
      do throws(SystemError) {
        try Files.remove(file.path)
        call.printLine(clean("removed “\(file.path)”"))
      } catch {
        isIncomplete = true
        return outside.complain("\(error); mend it and say “alarm uninstall” again")
      }
    case .file, .other:
      outside.complain(
        "“\(file.path)” was changed since it was installed and stays; remove it by hand if nobody needs it")
    }
    manifest.remove(file.path)
  }

  /// What enabling made, where no systemd could be asked to take it back: links to units that are no more.
  private func removeLinks() {
    guard manifest.enabled else { return }
    for folder in outside.paths.unitFolders {
      for (target, unit) in [("sockets.target", EngineUnit.socket), ("default.target", EngineUnit.service)] {
        let link = "\(folder)/\(target).wants/\(unit)"
        var status = stat()
        // It is a link, and nothing is behind it.
        if lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, access(link, F_OK) != 0 {
          unlink(link)
        }
      }
    }
  }

  private mutating func switchLingeringOff() {
    guard manifest.lingering else { return }
    if let lingering = Lingering(outside.runTool), let trouble = lingering.set(false) {
      isIncomplete = true
      return outside.complain(
        "lingering could not be switched off: \(trouble); “loginctl disable-linger” does it")
    }
    manifest.lingering = false
    call.printLine("switched lingering off again")
  }

  private func end() throws(Complaint) {
    let path = Manifest.path(outside.paths)
    do throws(SystemError) {
      guard !isIncomplete else { return try replaceFile(path, with: Array(manifest.text.utf8)) }
      try Files.remove(path)
    } catch {
      throw .failed("\(error); mend it and say “alarm uninstall” again")
    }
    // Inner ones first; only those that are empty go.
    for folder in manifest.folders.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(folder) }
    call.printLine("alarms and settings stay")
  }
}
