import Audio
import Core
import Platform
import Wire

// Which device plays: what the settings say, or what a person has chosen since.
extension AlarmEngine {
  private static let longestName = 200

  /// False where the method is none of these.
  func outputMethod(_ request: Request, _ params: Params) throws -> Bool {
    switch request.method {
    case "output.list":
      let chosen = effectiveSettings.output.device
      try asking(
        request, "output-list", orElse: "the devices cannot be listed: the sound server does not answer",
        or: "the devices are not listed"
      ) {
        DeviceList.all()
      } then: { devices in
        var entries = devices.map {
          OutputEntry(name: $0.name, description: $0.description, chosen: $0.name == chosen)
        }
        if !entries.contains(where: \.chosen) {
          entries.append(OutputEntry(name: chosen, description: "", chosen: true))
        }
        request.reply(entries)
      }
    case "output":
      if let name = try params.text("device") {
        try choose(name, request)
      } else {
        request.reply(outputNow())
      }
    default: return false
    }
    return true
  }

  private func outputNow() -> DoneReply {
    DoneReply(
      lines: [effectiveSettings.output.device], warnings: sounds.isChangingDevice ? [] : doubts)
  }

  /// How long a device that was chosen may take to take the place of the one before, in microseconds.
  private static let changePatience: Int64 = 2_000_000

  /// Answers which device plays and what is to be doubted of it: of the one that was chosen, not of the one before.
  private func replyChosen(_ request: Request) throws(WireError) {
    let connection = try opening(request)
    doctor.when({ [weak self] in self?.sounds.isChangingDevice != true }, within: AlarmEngine.changePatience)
    { [weak self] in
      self?.answer(request) { [weak self] in
        if let self { request.reply(outputNow()) }
      }
      connection.requestAnswered()
    }
  }

  private func choose(_ name: String, _ request: Request) throws(WireError) {
    guard !name.isEmpty, name.utf8.count <= AlarmEngine.longestName, !name.utf8.contains(0) else {
      throw Params.wrong(
        "a device's name has 1 to \(AlarmEngine.longestName) bytes; “alarm output list” shows those there are"
      )
    }
    if name == "auto" {
      choose(nil)
      return try replyChosen(request)
    }
    // Before ALSA hears of it: opening alone overwrites the file.
    guard !DeviceName.writesFile(name) else {
      throw Params.wrong(
        "the device “\(clean(name))” would write into a file; define it as pcm.NAME in ~/.asoundrc if that is wanted, and "
          + "choose NAME")
    }
    try asking(
      request, "output", orElse: "the device “\(clean(name))” does not answer, and the output stays as it is",
      or: "the device “\(clean(name))” is not tried, and the output stays as it is"
    ) {
      DeviceList.problem(with: name)
    } then: { [self] problem in
      if let problem { throw WireError(code: ErrorCode.refused, problem.description) }
      choose(name)
      try replyChosen(request)
    }
  }

  private func choose(_ name: String?) {
    guard name != chosenDevice else { return }
    chosenDevice = name
    keep([.outputDevice(name)])
    Log.info("the output is \(clean(effectiveSettings.output.device))")
    sounds.apply(finder.soundSettings(effectiveSettings))
    updateHearing()
    statusChanged()
  }

  /// The settings with what was chosen since in their place.
  var effectiveSettings: Settings {
    var settings = settings
    if let chosenDevice { settings.output.device = chosenDevice }
    return settings
  }
}
