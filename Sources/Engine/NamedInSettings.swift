import Audio
import Core
import Glibc
import Platform

/// Something the settings name that is not there, or is not what it should be. They are used all the same: it may be there
/// by the time it is wanted.
struct MissingThing: Sendable, Equatable {
  /// The settings' key.
  let key: String
  /// What is wrong, and what stands in for it until that is mended.
  let sentence: String
  /// The device of which that is so; empty for anything else.
  var device = ""
}

extension SoundSources {
  /// Looks for every sound, file, folder, device and program that settings name. Nothing is opened but files. Blocks on
  /// the disk: for workers.
  func missing(in settings: Settings, home: String) -> [MissingThing] {
    var found: [MissingThing] = []
    func miss(_ key: String, _ sentence: String, device: String = "") {
      found.append(MissingThing(key: key, sentence: sentence, device: device))
    }
    let devices = [
      ("output.device", [settings.output.device]), ("output.alarmDevices", settings.output.alarmDevices),
    ]
    for (key, names) in devices {
      for name in names {
        if !DeviceList.isDefined(name) {
          miss(
            key, "ALSA knows no device “\(clean(name))”; “alarm output list” shows those there are",
            device: name)
        } else if let card = DeviceList.absentCard(of: name) {
          miss(
            key,
            "there is no sound card “\(clean(card))” for the device “\(clean(name))”; connect it, or name another one "
              + "(“alarm output list” shows those there are)", device: name)
        }
      }
    }
    if let clip = settings.keepAlive.clip, let problem = problem(withClip: clip) {
      miss("keepAlive.clip", "\(problem); until then silence without a clip keeps the device awake")
    }
    do throws(AudioError) { try check(settings.alarm.sound) } catch {
      miss("alarm.sound", "\(error); until then the built-in tone rings in its place")
    }
    if let problem = problem(withFolder: settings.player.music, home: home) {
      miss("player.music", "\(problem); until then Files begins in ~/Music, or in home")
    }
    if let program = settings.interface.terminal.first, !isProgram(program) {
      miss(
        "ui.terminal",
        "there is no program “\(clean(program))” to be run; name one that is installed, or none for a usual one"
      )
    }
    return found
  }

  private func problem(withClip clip: String) -> String? {
    guard let file = FileName(text: clip), file.isAbsolute else {
      return "“\(clean(clip))” is not a whole path; write it from “/” or “~/” on"
    }
    do throws(AudioError) { _ = try readTrackInfo(file) } catch { return error.description }
    return nil
  }

  private func problem(withFolder text: String, home: String) -> String? {
    guard !text.isEmpty, let base = FileName(text: home), let folder = FileName(text: text) else {
      return nil
    }
    let path = folder.absolute(from: base, home: home)
    var status = stat()
    guard path.withCPath({ stat($0, &status) }) == 0 else {
      return "the folder “\(path.shown)” cannot be opened: \(SystemError.reason(errno)); name another one"
    }
    return status.st_mode & S_IFMT == S_IFDIR ? nil : "“\(path.shown)” is no folder; name one"
  }
}

extension AlarmEngine {
  /// What the settings name that is not there, as it stands beside what is wrong in them.
  var configWarnings: [String] {
    missing.map { "\($0.key): \($0.sentence) (in “\(clean(paths.settingsFile))”)" }
  }

  /// Looks whether all is there that the settings name, on a worker, for a disk may hang.
  func lookForMissing() {
    guard !isEnding, !looksForMissing else { return }
    looksForMissing = true
    let (finder, looked, home) = (finder, settings, paths.home)
    workers.run("named") {
      finder.missing(in: looked, home: home)
    } then: { [weak self] found in
      guard let self else { return }
      looksForMissing = false
      if looked != settings { return lookForMissing() }
      guard found != missing else { return }
      missing = found
      for sentence in configWarnings { Log.warning(sentence) }
      statusChanged()
    }
  }
}
