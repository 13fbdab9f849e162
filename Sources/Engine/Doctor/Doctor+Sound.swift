import Audio
import Core
import Glibc
import Platform

// The sounds of the next alarms, and the way from the device to an ear.
extension Doctor {
  /// So many seconds of a sound are decoded.
  private static let seconds = 3

  // MARK: Settings

  func askSettings(_ patient: Patient, then done: @escaping Answer) {
    let (finder, settings, home) = (finder, patient.settingsInFile, patient.home)
    work("settings") {
      finder.missing(in: settings, home: home)
    } then: { missing in
      done(Finding.settings(patient, missing))
    }
  }

  // MARK: Sounds

  func askSounds(_ patient: Patient, then done: @escaping Answer) {
    // Without an engine nobody knows which alarms there are.
    guard let alarms = patient.alarms else { return done([]) }
    guard !alarms.isEmpty else { return done([.ok("sound", "no alarm is due within 24 h")]) }
    let sounds = Set(alarms.map(\.sound) + [patient.settings.alarm.sound])
    let finder = finder
    work("sound") { () -> [String: String] in
      sounds.reduce(into: [:]) { problems, sound in
        do throws(AudioError) { try finder.play(sound, seconds: Doctor.seconds) } catch {
          problems[sound] = error.description
        }
      }
    } then: { problems in
      done(Finding.sounds(patient, problems))
    }
  }

  // MARK: The device

  func askDevice(
    _ patient: Patient, _ sounds: SoundSystem?, _ hold: @escaping (Bool) -> Void, _ isQuick: Bool,
    then done: @escaping Answer
  ) {
    guard let sounds else { return askHearing(patient, OutputStatus(), [], then: done) }
    if isQuick || isProbing { return lookAtDevice(patient, sounds, then: done) }
    let probe = DeviceProbe(loop, sounds, hold) { [weak self] status, row in
      // Still held open: our own stream is at the server, with its volume.
      self?.askOthers(patient, status, row) { rows in
        hold(false)
        self?.endProbe()
        done(rows)
      }
    }
    begin(probe)
    probe.start()
  }

  /// One that is closed is only opened and closed: whoever sleeps beside it hears nothing, and what is not there is known.
  private func lookAtDevice(_ patient: Patient, _ sounds: SoundSystem, then done: @escaping Answer) {
    guard sounds.status.state == .closed else {
      return askOthers(patient, sounds.status, .device(sounds.status), then: done)
    }
    let name = patient.settings.output.device
    var obstacle: String??
    work("device") {
      DeviceList.obstacle(to: name)?.description
    } then: {
      obstacle = .some($0)
    }
    when({ obstacle != nil }, within: Doctor.lookPatience) { [weak self] in
      let status = sounds.status
      // Opened meanwhile, by a ring that comes or a person: it says more itself.
      let row: Finding = status.state == .closed ? .deviceAtRest(status, name, obstacle) : .device(status)
      self?.askOthers(patient, status, row, then: done)
    }
  }

  /// Where the device cannot be heard a ring sounds on the first of the others that opens: they are opened and closed.
  private func askOthers(
    _ patient: Patient, _ output: OutputStatus, _ row: Finding, then done: @escaping Answer
  ) {
    let others = patient.settings.output.alarmDevices.filter {
      $0 != patient.settings.output.device && $0 != "null"
    }
    // To one that hangs the output holds on for a while.
    let isDeaf = row == .deafDevice(output.device) || row == .deafDevice(patient.settings.output.device)
    guard row.result == .fail, !isDeaf, !others.isEmpty else {
      return askHearing(patient, output, [row], then: done)
    }
    var found: String??
    work("others") {
      others.first { DeviceList.obstacle(to: $0) == nil }
    } then: {
      found = .some($0)
    }
    when({ found != nil }, within: Doctor.othersPatience) { [weak self] in
      guard let found, let other = found else {
        self?.askHearing(patient, output, [row], then: done)
        return
      }
      self?.askHearing(patient, output, [.device(row, ringsOn: other)], on: other, then: done)
    }
  }

  /// `other`: what sounds instead of the device.
  private func askHearing(
    _ patient: Patient, _ output: OutputStatus, _ rows: [Finding], on other: String? = nil,
    then done: @escaping Answer
  ) {
    let isOpen = other == nil && output.state == .running && output.audible
    let device =
      other ?? (output.device.isEmpty || !isOpen ? patient.settings.output.device : output.device)
    let least = patient.settings.alarm.leastVolume
    let others = patient.settings.output.alarmDevices.filter { $0 != device }
    let isSilent = rows.contains { $0.result == .fail }
    work("hearing") { () -> [Finding] in
      let view = OutputVisit(process: thisProcess()).view(device: device, isOpen: isOpen, leastVolume: least)
      return [.heard(view.judge(leastVolume: least), others: others), .mixer(view, leastVolume: least)]
    } then: {
      // What a device that cannot be opened is connected to says nothing of what will be heard.
      done(rows + $0.filter { !isSilent || $0.result != .ok })
    }
  }
}

/// Keeps the device open, with silence, until it has consumed some: the same way a ring would go. What plays goes on.
final class DeviceProbe {
  private let sounds: SoundSystem
  private let hold: (Bool) -> Void
  private let done: (OutputStatus, Finding) -> Void
  private var timer: TimerSource?
  private var first: (frames: Int64, opens: Int)?
  private let began = Clocks.monotonicMicroseconds()

  /// A cold sound server consumes nothing for two seconds, and one that hangs is given up after four.
  private static let patience: Int64 = 8_000_000
  /// What cannot be opened at first may be there in a moment: after a restart of the server, when a program lets go.
  private static let mercy: Int64 = 1_500_000
  private static let pause: Int64 = 100_000
  /// More than is ever queued: what was given beyond it was consumed.
  private static let queued = 0.75

  init(
    _ loop: EventLoop, _ sounds: SoundSystem, _ hold: @escaping (Bool) -> Void,
    done: @escaping (OutputStatus, Finding) -> Void
  ) {
    (self.sounds, self.hold, self.done) = (sounds, hold, done)
    timer = try? TimerSource(loop, .monotonic, accuracy: 10_000) { [weak self] in self?.look() }
  }

  func start() {
    hold(true)
    look()
  }

  private func look() {
    let (status, now) = (sounds.status, Clocks.monotonicMicroseconds())
    if status.state == .running, status.audible {
      if let first, first.opens == status.opens {
        if Double(status.framesWritten - first.frames) > DeviceProbe.queued * Double(status.rate) {
          return finish(status, .device(status))
        }
      } else {
        first = (status.framesWritten, status.opens)
      }
    } else {
      first = nil
      if !status.reason.isEmpty, now - began > DeviceProbe.mercy { return finish(status, .device(status)) }
    }
    if now - began > DeviceProbe.patience { return finish(status, .deafDevice(status.device)) }
    timer?.arm(atMicroseconds: now + DeviceProbe.pause)
  }

  private func finish(_ status: OutputStatus, _ row: Finding) {
    timer?.disarm()
    done(status, row)
  }
}

extension SoundSources {
  /// Decodes the beginning of a sound, and throws where that cannot be done. In a folder one file that can be played is
  /// enough.
  func play(_ sound: String, seconds: Int) throws(AudioError) {
    var first: AudioError?
    for file in try files(of: sound).prefix(8) {
      do throws(AudioError) {
        return try play(file, seconds: seconds)
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  private func play(_ file: FileName, seconds: Int) throws(AudioError) {
    let decoder = try openDecoder(file)
    let frames = max(1, decoder.format.rate / 4)
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames * decoder.format.channels)
    defer { samples.deallocate() }
    var count = 0
    while count < seconds * decoder.format.rate {
      let read = try decoder.read(into: samples)
      if read == 0 { break }
      count += read
    }
    guard count > 0 else {
      throw AudioError(.undecodable, "“\(file.shown)” holds no sound: choose another file")
    }
  }
}
