import Glibc
import Platform

/// The settings file: tells when it may have changed. Its folder is watched, because editors put a new file in place of
/// the old; and the file itself, because it may be a link to somewhere else.
final class SettingsWatch {
  private let loop: EventLoop
  private let paths: Paths
  private let changed: () -> Void
  private var folderWatch: FileChangeSource?
  private var fileWatch: FileChangeSource?
  private var settling: TimerSource?

  init(_ loop: EventLoop, _ paths: Paths, changed: @escaping () -> Void) throws(SystemError) {
    (self.loop, self.paths, self.changed) = (loop, paths, changed)
    // One saving is several events; the file is read when they are over.
    settling = try TimerSource(loop, .monotonic, accuracy: 10_000) { [weak self] in
      self?.watch()
      self?.changed()
    }
    watch()
  }

  private func watch() {
    let folder = paths.configuration
    let inFolder =
      UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)
      | UInt32(IN_MOVED_FROM)
      | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    let ofFile = UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    do {
      try paths.makeConfigurationFolder()
      folderWatch = try FileChangeSource(loop, folder, mask: inFolder) { [weak self] name, mask in
        let isGone = mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)) != 0
        if isGone || name == Array("config.json5".utf8) { self?.settle() }
      }
    } catch {
      folderWatch = nil
      Log.debug("\(error); changes of the settings are noticed at the next start")
    }
    fileWatch = try? FileChangeSource(loop, paths.settingsFile, mask: ofFile) { [weak self] _, _ in
      self?.settle()
    }
  }

  private func settle() { settling?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 50_000) }
}
