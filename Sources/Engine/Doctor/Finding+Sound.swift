import Audio
import Core
import Platform

extension Finding {
  static func engine(_ care: Patient.Care) -> Finding {
    switch care {
    case .systemd: .ok("engine", "it runs, and systemd starts it again where it dies")
    case .parent: .ok("engine", "it runs, and its parent starts it again where it dies")
    case .nobody:
      .warn(
        "engine", "it runs, and nobody starts it again where it dies",
        advice: "end it with “alarm engine stop” and start it with “alarm engine start”")
    case .hangs(let process, let sentence):
      .fail(
        "engine",
        "the engine (process \(process)) holds the alarms and does not answer, so no alarm may ring: \(sentence)",
        advice:
          "wait a minute and look again; if it still hangs, end it with “kill -9 \(process)” and run “alarm engine start”"
      )
    case .noEngine(let sentence):
      .fail(
        "engine", "no engine runs, so no alarm rings: \(sentence)",
        advice: "mend that, then start it with “alarm engine start”")
    }
  }

  /// Only where a person has chosen that less goes on without a screen.
  static func background(_ settings: Settings.Background) -> [Finding] {
    if !settings.engine {
      return [
        .warn(
          "background", "the engine ends with its last screen, and no alarm rings after that",
          advice: "leave a screen open, or set background.engine to on")
      ]
    }
    if settings.modes.contains(.alarms) { return [] }
    return [
      .warn(
        "background", "with no screen open alarms are shown and not heard",
        advice: "leave a screen open, or name alarms among background.modes")
    ]
  }

  // MARK: Settings

  /// So many things that are wrong with them have a row each.
  private static let mostSettings = 8

  static func settings(_ patient: Patient, _ missing: [MissingThing]) -> [Finding] {
    let missing = missing.map { "\($0.key): \(clean($0.sentence))" }
    let file = "“\(clean(patient.settingsFile))”"
    let rows =
      patient.settingsErrors.map { sentence in
        Finding.warn(
          "settings", sentence,
          advice:
            "mend it there, for until then the settings stay as they are; “alarm help config” lists all")
      }
      + missing.map {
        .warn("settings", $0, advice: "put it right in \(file), or bring back what it names")
      }
    guard !rows.isEmpty else { return [.ok("settings", "nothing is wrong in them")] }
    guard rows.count > mostSettings else { return rows }
    let more = Finding.warn(
      "settings", "\(rows.count - mostSettings) more things are wrong in them",
      advice: "“alarm status” tells them all")
    return rows.prefix(mostSettings) + [more]
  }

  // MARK: Sounds

  /// `problems`: why a sound cannot be played, for those that cannot.
  static func sounds(_ patient: Patient, _ problems: [String: String]) -> [Finding] {
    let alarms = patient.alarms ?? []
    let standard = patient.settings.alarm.sound
    var isStandardTold = false
    let rows = alarms.compactMap { alarm -> Finding? in
      let name = alarm.label.isEmpty ? "alarm \(alarm.id)" : "alarm \(alarm.id) “\(clean(alarm.label))”"
      let shown = "\(name), due at \(patient.shown(alarm.at)),"
      if alarm.volume == 0 {
        return .warn(
          "sound", "\(shown) has volume 0 and is only shown",
          advice: "“alarm edit \(alarm.id) --volume 80” makes it sound")
      }
      guard let problem = problems[alarm.sound] else { return nil }
      if alarm.sound == standard {
        // One thing is wrong, however many alarms there are.
        if isStandardTold { return nil }
        isStandardTold = true
        let others = alarms.count { $0.sound == standard && $0.volume != 0 } - 1
        let more = others == 0 ? "" : " and \(others) more"
        return .warn(
          "sound", "\(shown)\(more) will ring with the built-in tone instead: \(problem)",
          advice:
            "put alarm.sound right in the settings, or choose another with “alarm edit \(alarm.id) --sound FILE”"
        )
      }
      let instead = problems[standard] == nil ? "“\(clean(standard))”" : "the built-in tone"
      return .warn(
        "sound", "\(shown) will ring with \(instead) instead: \(problem)",
        advice: "put the file back, or choose another with “alarm edit \(alarm.id) --sound FILE”")
    }
    guard rows.isEmpty, let first = alarms.first else { return rows }
    let sound =
      FileName(text: first.sound).flatMap { $0.isAbsolute ? $0.lastShown : nil } ?? clean(first.sound)
    return [
      .ok(
        "sound",
        alarms.count == 1
          ? "“\(sound)” of alarm \(first.id), due at \(patient.shown(first.at)), can be played"
          : "the sounds of all \(alarms.count) alarms due within 24 h can be played")
    ]
  }

  // MARK: The device

  /// A device that was tried.
  static func device(_ output: OutputStatus) -> Finding {
    let name = "“\(clean(output.device))”"
    guard output.state == .running, output.audible else {
      let reason = output.reason.isEmpty ? "\(name) is heard by nobody" : output.reason
      return .fail("device", reason, advice: deviceAdvice)
    }
    guard output.reason.isEmpty else {
      return .warn(
        "device", output.reason, advice: "connect it, or choose another one with “alarm output NAME”")
    }
    return .ok("device", "\(name) takes sound, \(output.rate) Hz")
  }

  /// A device that opened and took nothing, or not even opened.
  static func deafDevice(_ name: String) -> Finding {
    .fail(
      "device", "“\(clean(name))” takes no sound",
      advice: "restart the sound server, or choose another device that “alarm output list” shows")
  }

  /// A device that is closed. `obstacle`: why it cannot be opened (nil: it can); none where it did not say so in time.
  static func deviceAtRest(_ output: OutputStatus, _ name: String, _ obstacle: String??) -> Finding {
    guard let obstacle else { return .deafDevice(name) }
    if let obstacle { return .fail("device", obstacle, advice: deviceAdvice) }
    guard output.reason.isEmpty else { return .device(output) }
    return .ok("device", "“\(clean(name))” can be opened")
  }

  /// `row`, which says why a device cannot be heard, where a ring sounds on another one that can be opened.
  static func device(_ row: Finding, ringsOn other: String) -> Finding {
    .warn(
      "device", "\(Finding.withoutVerdict(row.text)); alarms sound on “\(clean(other))” instead",
      advice: deviceAdvice)
  }

  /// Why nobody will hear, without that it is so.
  static func withoutVerdict(_ sentence: String) -> String {
    let verdict = "nobody will hear: "
    return sentence.hasPrefix(verdict) ? String(sentence.dropFirst(verdict.count)) : sentence
  }

  private static let deviceAdvice =
    "connect it or end what holds it, or choose another one that “alarm output list” shows"

  // MARK: Being heard

  /// `others`: devices on which a ring sounds besides.
  static func heard(_ hearing: Hearing, others: [String]) -> Finding {
    if hearing.isUnknown {
      return .ok("heard", "no sound server answers that could say where the sound goes")
    }
    guard let doubt = hearing.doubt else { return .ok("heard", "the sound goes to a real output") }
    if !others.isEmpty {
      let names = others.map { "“\(clean($0))”" }.joined(separator: ", ")
      return .warn(
        "heard", "\(doubt); alarms sound on \(names) besides",
        advice: "try it with “alarm ring ID”, or connect a loudspeaker")
    }
    let advice = "connect a loudspeaker, or name its device in output.alarmDevices"
    return hearing.leadsNowhere
      ? .fail("heard", doubt, advice: advice) : .warn("heard", doubt, advice: advice)
  }

  /// Mute and volume: what is too low is raised for a ring, but where it is switched off it is worth a word.
  static func mixer(_ view: OutputView, leastVolume: Int) -> Finding {
    let hearing = view.judge(leastVolume: leastVolume)
    if hearing.isUnknown { return .ok("mixer", "nobody answers that could say how loud it is set") }
    let raised = Set(hearing.raises.map(\.control))
    let silent = view.judge(leastVolume: max(1, leastVolume)).raises.filter { !raised.contains($0.control) }
    if !silent.isEmpty {
      return .fail(
        "mixer", silent.map(\.sentence).joined(separator: "; "),
        advice: "turn it up, or set alarm.leastVolume so that it is raised for a ring")
    }
    let muted = hearing.raises.filter { $0.before.isMuted == true }
    if !muted.isEmpty {
      return .warn(
        "mixer", "\(muted.map(\.sentence).joined(separator: "; ")), and will be on for the ring",
        advice: "switch it on where that is not meant")
    }
    guard !hearing.raises.isEmpty else { return .ok("mixer", "nothing is muted or too low") }
    return .ok(
      "mixer", "\(hearing.raises.map(\.sentence).joined(separator: "; ")), and is raised for the ring")
  }
}
