import Platform

/// What is known of the way from our samples to an ear. Put together by a worker (`OutputVisit`), judged by anybody.
public struct OutputView: Hashable, Sendable {
  /// ALSA's name of the device.
  public var device: String
  /// It is open, so our stream is to be found where it goes.
  public var isOpen: Bool
  /// nil where no sound server answers.
  public var server: ServerView?
  /// The mixer of the card the device leads to; nil where that is not known or there is none.
  public var card: CardView?

  public init(device: String, isOpen: Bool, server: ServerView? = nil, card: CardView? = nil) {
    (self.device, self.isOpen, self.server, self.card) = (device, isOpen, server, card)
  }
}

/// Whether what is played now can be trusted to be heard.
public struct Hearing: Hashable, Sendable {
  /// False where nobody can hear it now: no sink, one that leads nowhere, a plug that is out, muted.
  public var isAudible = true
  /// It leads to nobody's ear, whatever the volume: no sink, one that leads nowhere, a plug that is out.
  public var leadsNowhere = false
  /// Why it cannot be trusted to be heard, whatever the volume: a sentence, sanitised.
  public var doubt: String?
  /// What stands muted or too low, and how it should stand.
  public var raises: [LevelRaise] = []
  /// Every mute and volume on the way, whether it stands well or not.
  public var controls: Set<LevelControl> = []

  /// Nobody could be asked, so nothing is doubted.
  public var isUnknown = false

  public var isTrusted: Bool { isAudible && doubt == nil && raises.isEmpty }

  /// Why it is not trusted; empty where it is.
  public var sentence: String {
    ((doubt.map { [$0] } ?? []) + raises.map(\.sentence)).joined(separator: "; ")
  }

  public init() {}
}

/// One mute or volume that would keep a ring from being heard.
public struct LevelRaise: Hashable, Sendable {
  public var control: LevelControl
  public var before: OutputLevel
  public var after: OutputLevel
  /// `“Speaker” is muted`; sanitised.
  public var sentence: String
}

extension OutputView {
  /// The judgement: a real sink, not headphones or Bluetooth alone, unmuted and at `leastVolume` percent or more.
  ///
  /// A device that goes straight to a card is judged by the card's mixer; everything else by the sound server, if our
  /// stream is there. Of what nobody can be asked about nothing is doubted.
  public func judge(leastVolume: Int) -> Hearing {
    if let card { return card.judge(leastVolume: leastVolume) }
    var hearing = Hearing()
    guard let server, !isOpen || !server.streams.isEmpty else {
      hearing.isUnknown = true
      return hearing
    }
    var names: [String] = []
    for stream in server.streams where !names.contains(stream.sink) { names.append(stream.sink) }
    if names.isEmpty, let name = server.defaultSink { names = [name] }
    let all = names.compactMap { name in server.sink(name).map { server.judge($0, leastVolume: leastVolume) }
    }
    guard let first = all.first else {
      (hearing.isAudible, hearing.leadsNowhere) = (false, true)
      hearing.doubt = "nobody will hear: the sound server has no output; connect a speaker"
      return hearing
    }
    // Where rings sound on several, one that is trusted is enough.
    hearing = all.first { $0.doubt == nil } ?? first
    hearing.isAudible = all.contains(where: \.isAudible)
    hearing.leadsNowhere = all.allSatisfy(\.leadsNowhere)
    hearing.raises = all.flatMap(\.raises)
    for other in all { hearing.controls.formUnion(other.controls) }
    return hearing
  }
}

extension ServerView {
  fileprivate func judge(_ sink: Sink, leastVolume: Int) -> Hearing {
    var hearing = Hearing()
    let shown = "“\(clean(sink.description.isEmpty ? sink.name : sink.description))”"
    if sink.isNull {
      (hearing.isAudible, hearing.leadsNowhere) = (false, true)
      hearing.doubt =
        "nobody will hear: the sound server plays to \(shown), which leads nowhere; connect a speaker"
      // Nothing is gained by raising it.
      return hearing
    }
    if sink.isUnplugged {
      (hearing.isAudible, hearing.leadsNowhere) = (false, true)
      hearing.doubt = "nobody will hear: nothing is plugged into \(shown); connect a speaker"
    } else if sink.kind == .headphones {
      hearing.doubt = "\(shown) are headphones, which may not be heard by whoever does not wear them"
    } else if sink.kind == .bluetooth {
      hearing.doubt = "\(shown) is a Bluetooth device, which may be out of reach or switched off"
    }
    let least = Double(leastVolume)
    hearing.add(.sink(sink.name), sink.level, atLeast: least, shown)
    // The stream's volume counts from the sink's, which by then is at least what was asked for.
    let below = sink.isFlat ? 100 : max(least, min(100, sink.level.percent ?? 100))
    for stream in streams where stream.sink == sink.name {
      let wanted = below > 0 ? min(100, least * 100 / below) : least
      hearing.add(
        .stream(sink: sink.name), stream.level, atLeast: wanted, "our own stream at the sound server")
    }
    return hearing
  }
}

extension CardView {
  func judge(leastVolume: Int) -> Hearing {
    var hearing = Hearing()
    // Headphones are left as they are where the card has a speaker: one of them is meant to be off.
    let hasSpeaker = knobs.contains { ["Speaker", "Front"].contains($0.name) }
    for knob in knobs where knob.name != "Headphone" || !hasSpeaker {
      hearing.controls.insert(.card(control, knob: knob.name, index: knob.index))
      let after = knob.level.raised(to: (knob.percent ?? 100) < Double(leastVolume) ? knob.least : 0)
      guard after != knob.level else { continue }
      if knob.level.isMuted == true { hearing.isAudible = false }
      let shown = "“\(clean(knob.name))” of the sound card"
      hearing.raises.append(
        LevelRaise(
          control: .card(control, knob: knob.name, index: knob.index), before: knob.level, after: after,
          sentence: knob.level.complaint(shown, knob.percent)))
    }
    return hearing
  }
}

extension Hearing {
  fileprivate mutating func add(
    _ control: LevelControl, _ level: OutputLevel, atLeast percent: Double, _ shown: String
  ) {
    controls.insert(control)
    let isLow = (level.percent ?? 100) < percent - 0.4
    // Rounded up, or it would be found too low again.
    let after = level.raised(to: isLow ? Int((Double(level.full) * percent / 100).rounded(.up)) : 0)
    if level.isMuted == true { isAudible = false }
    guard after != level, !raises.contains(where: { $0.control == control }) else { return }
    raises.append(
      LevelRaise(
        control: control, before: level, after: after, sentence: level.complaint(shown, level.percent)))
  }
}

extension OutputLevel {
  /// What is wrong with it, in words.
  fileprivate func complaint(_ shown: String, _ percent: Double?) -> String {
    isMuted == true
      ? "\(shown) is muted" : "\(shown) stands at only \(Int((percent ?? 0).rounded())) %"
  }
}
