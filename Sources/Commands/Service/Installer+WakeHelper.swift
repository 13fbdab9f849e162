import Glibc
import Platform

// The helper that wakes the sleeping machine where the engine itself may not.
extension Installer {
  /// Where it lies for everybody, and nothing is to be written for one person; nil where it does not.
  private var sharedHelper: String? {
    guard let path = paths.sharedWakeHelper, case .file = Files.look(at: path) else { return nil }
    return path
  }

  /// Whether the helper is to be there: as said, else as asked where it would do what nothing else does.
  func wantsHelper(_ wanted: Bool?, _ manager: UserManager?) -> Bool {
    if let wanted { return wanted }
    let places = [paths.ownWakeHelper, paths.sharedWakeHelper].compactMap { $0 }
    guard outside.canWake(), !places.contains(where: WakeCapability.isSet) else { return false }
    guard outside.inputIsTerminal, outside.errorIsTerminal else {
      call.printLine(
        "where nothing else wakes the sleeping machine for alarms, “alarm install --wake-helper” installs a helper that does"
      )
      return false
    }
    guard manager?.wakesMachine != true else { return false }
    outside.ask(
      "Nothing may wake the sleeping machine for alarms. Install a helper that may, with sudo? [Y/n] ")
    return outside.readLine().map { ["", "y", "yes"].contains($0.lowercased()) } ?? false
  }

  /// One's own copy of it, where it is wanted and there is none for everybody, or was installed before.
  func ownHelper(_ isWanted: Bool) -> Placed? {
    let path = paths.ownWakeHelper
    guard manifest[path] != nil || (isWanted && sharedHelper == nil) else { return nil }
    let sources = [paths.builtWakeHelper, paths.sharedWakeHelper].compactMap { $0 }
    return sources.lazy.compactMap { try? readFile($0) }.first.map {
      Placed(path: path, bytes: $0, shared: nil, mode: 0o700)
    }
  }

  /// Gives it the right to wake the machine, and tries whether that comes to anything.
  mutating func giveRight(isWanted: Bool) throws(Complaint) {
    let own = manifest[paths.ownWakeHelper]
    guard isWanted || own != nil else { return }
    guard let path = own?.path ?? sharedHelper else {
      isIncomplete = true
      return outside.complain(
        "the helper “alarm-wake” is not beside “\(paths.executable)”, so it was not installed; “make build” makes it"
      )
    }
    if let own {
      // What was put in its place gets no right.
      guard case .file(let found) = Files.look(at: path), wrote(own, found) else { return }
    }
    let right = WakeRight(path, outside)
    if !right.isGiven {
      // Before sudo writes to the same terminal.
      try outside.flush()
      if own == nil { manifest.capable = path }
      do throws(SystemError) {
        try store()
      } catch {
        throw .failed("\(error); mend it and say “alarm install” again")
      }
      if let trouble = right.give() {
        isIncomplete = true
        return outside.complain(
          "“\(path)” may not wake the machine yet: \(trouble); say as root “\(right.givingLine)”"
        )
      }
    }
    switch right.trial() {
    case .off: call.printLine(clean("“\(path)” may wake the sleeping machine for alarms"))
    case .refused(EOPNOTSUPP):
      outside.complain(
        "“\(path)” may wake the machine, but the machine has no clock that wakes it; leave it on, or set awake.untilAlarm to “block”"
      )
    case .refused(EPERM):
      isIncomplete = true
      outside.complain(
        "“\(path)” has the right to wake the machine and may not use it: its file system is mounted with nosuid, or this shell may gain no rights; “sudo make install” puts it where it can"
      )
    case .refused, .armed, nil:
      isIncomplete = true
      outside.complain("“\(path)” has the right to wake the machine and does not run; install it anew")
    }
  }
}
