import Wire

/// Whether the player's page shows how loud what is heard is (`ui.meter`).
public enum MeterChoice: String, Hashable, Sendable, CaseIterable {
  /// Not while the machine runs on its battery.
  case auto
  case on, off
}

/// How loud what is heard is, as eyes can follow it: up at once, down evenly, and the peak stays for a while.
public struct Meter: Hashable, Sendable {
  /// Decibels under full scale.
  public struct Channel: Hashable, Sendable {
    public internal(set) var rms: Double
    public internal(set) var peak: Double
    /// The largest peak of late, and until when it stays (CLOCK_MONOTONIC in microseconds).
    public internal(set) var held: Double
    var heldUntil: Int64
  }

  public private(set) var channels: [Channel] = []
  /// When it was told last (CLOCK_MONOTONIC in microseconds).
  private var at: Int64 = 0

  /// Nothing lies under it.
  static let silence = -100.0
  /// Decibels a second, as meters for programmes fall (IEC 60268-18: 20 in 1.7 s), twice as fast.
  private static let fall = 24.0
  private static let holdTime: Int64 = 1_500_000
  /// What was told before is of no use any more.
  static let patience: Int64 = 600_000

  init() {}

  /// When it is to be taken away, unless it is told more (CLOCK_MONOTONIC in microseconds).
  var deadline: Int64 { at + Meter.patience }

  mutating func take(_ levels: Levels, at now: Int64) {
    let fallen = Meter.fall * Double(min(max(0, now - at), Meter.patience)) / 1e6
    at = now
    let told = zip(levels.rms, levels.peak).prefix(2).map { (Meter.bounded($0), Meter.bounded($1)) }
    // Another number of channels is another device: nothing falls from what was.
    if told.count != channels.count { channels = [] }
    channels = told.enumerated().map { index, new in
      guard channels.indices.contains(index) else {
        return Channel(rms: new.0, peak: new.1, held: new.1, heldUntil: now + Meter.holdTime)
      }
      var channel = channels[index]
      channel.rms = max(new.0, channel.rms - fallen)
      channel.peak = max(new.1, channel.peak - fallen)
      if new.1 >= channel.held {
        (channel.held, channel.heldUntil) = (new.1, now + Meter.holdTime)
      } else if channel.heldUntil <= now {
        channel.held = channel.peak
      }
      return channel
    }
  }

  private static func bounded(_ decibels: Double) -> Double {
    decibels.isFinite ? min(max(decibels, silence), 0) : silence
  }
}

extension Model {
  /// When the engine is to tell of levels: only while they can be seen.
  var levelsWanted: LevelsWish {
    guard page == .player, hasFocus != false, overlay == nil, output == nil, openedEntry == nil,
      Layout(self).hasMeter
    else { return .never }
    switch meterChoice {
    case .auto: return .onMains
    case .on: return .always
    case .off: return .never
    }
  }

  /// Asks for the levels, or for no more, where that is not what was asked last.
  mutating func askForLevels() -> [Effect] {
    let wanted = levelsWanted
    if wanted == .never || status?.player.state != "playing" { meter = nil }
    guard link == .up, status != nil, wanted != levelsAsked else { return [] }
    levelsAsked = wanted
    return [.request(.levels(wanted))]
  }

  mutating func take(_ levels: Levels) {
    guard levelsAsked != .never, status?.player.state == "playing" else { return }
    var meter = meter ?? Meter()
    meter.take(levels, at: now.monotonic)
    self.meter = meter
  }

  /// The key for the meter: what is there goes, and comes where it is not.
  mutating func toggleMeter() {
    let isShown =
      switch meterChoice {
      case .on: true
      case .off: false
      // On battery none is told while the music plays.
      case .auto: meter != nil || page != .player || status?.player.state != "playing"
      }
    meterChoice = isShown ? .off : .on
    let isOn = meterChoice == .on
    let hasRoom = page != .player || Layout(self).hasMeter
    say(
      !isOn ? "The meter is off." : hasRoom ? "The meter is on." : "The meter is on, but has no room here.")
  }
}
