import Platform

/// A mute and volume that can be found again, also by another process.
public enum LevelControl: Hashable, Sendable {
  case sink(String)
  /// Our own stream on that sink.
  case stream(sink: String)
  /// A knob of a card's mixer.
  case card(String, knob: String, index: UInt32)
}

/// What became of one that was to be put back.
public enum LevelOutcome: Hashable, Sendable {
  case putBack
  /// It was set to something else meanwhile, so it was left alone.
  case changedMeanwhile
  /// It is not there now.
  case gone
  /// Nobody answers, or it could not be set.
  case failed
}

/// One worker's visit to everything that can be asked: the sound server, where one answers within two seconds, and the
/// cards. Blocks: for workers only.
public final class OutputVisit {
  private let connection: PulseConnection?
  private let process: Int32
  private var server: ServerView?

  /// - Parameter process: whose streams are ours.
  public init(process: Int32) {
    self.process = process
    connection = PulseConnection(until: .now + SoundServer.patience)
    look()
  }

  private func look() { server = connection.flatMap { SoundServer.ask($0, process: process) } }

  /// What is known of the way from `device` to an ear.
  public func view(device: String, isOpen: Bool, leastVolume: Int) -> OutputView {
    var control = CardMixer.control(ofDevice: device)
    // Without a server `default` is the first card, if ALSA is not set up otherwise. Its own name is not asked: that may
    // lead through the plugin to a server that hangs.
    if control == nil, server == nil, device == "default" { control = "hw:0" }
    return OutputView(
      device: device, isOpen: isOpen, server: server,
      card: control.flatMap { CardMixer.ask($0, leastVolume: leastVolume) })
  }

  /// Sets each, and looks again; what could be set.
  public func raise(_ raises: [LevelRaise]) -> [LevelRaise] {
    let done = raises.filter { set($0.control, to: $0.after) }
    look()
    return done
  }

  /// Puts a control back where it still stands as it was set.
  public func putBack(_ control: LevelControl, from set: OutputLevel, to before: OutputLevel) -> LevelOutcome
  {
    if case .card = control {} else if server == nil { return .failed }
    guard let level = level(of: control) else { return .gone }
    guard level.isStill(set) else { return .changedMeanwhile }
    return self.set(control, to: before) ? .putBack : .failed
  }

  /// How a control stands now; nil where it is not there.
  public func level(of control: LevelControl) -> OutputLevel? {
    switch control {
    case .sink(let name): server?.sink(name)?.level
    case .stream(let sink): server?.streams.first { $0.sink == sink }?.level
    case .card(let card, let knob, let index): CardMixer.level(card, knob: knob, index)
    }
  }

  private func set(_ control: LevelControl, to level: OutputLevel) -> Bool {
    switch control {
    case .sink(let name): return connection.map { SoundServer.set($0, sink: name, to: level) } ?? false
    case .stream(let sink):
      let streams = server?.streams.filter { $0.sink == sink } ?? []
      guard let connection, !streams.isEmpty else { return false }
      return streams.allSatisfy { SoundServer.set(connection, stream: $0.index, to: level) }
    case .card(let card, let knob, let index): return CardMixer.set(card, knob: knob, index, to: level)
    }
  }
}

// MARK: As text, for the store

extension LevelControl {
  /// Words between bars; names are bytes of their own kind and may hold anything else.
  public var code: String {
    switch self {
    case .sink(let name): "sink|\(name)"
    case .stream(let sink): "stream|\(sink)"
    case .card(let card, let knob, let index): "card|\(index)|\(knob)|\(card)"
    }
  }

  public init?(code: String) {
    let parts = code.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "sink": self = .sink(parts[1])
    case "stream": self = .stream(sink: parts[1])
    case "card":
      let words = parts[1].split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map(
        String.init)
      guard words.count == 3, let index = UInt32(words[0]) else { return nil }
      self = .card(words[2], knob: words[1], index: index)
    default: return nil
    }
  }
}

extension OutputLevel {
  /// `on 65536 3277 3277`: muted, on or neither (`-`), what 100 % is, and each channel.
  public var code: String {
    let word = isMuted.map { $0 ? "muted" : "on" } ?? "-"
    return "\(word) \(full)" + volumes.map { " \($0)" }.joined()
  }

  public init?(code: String) {
    let words = code.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard let word = words.first, numbers.count == words.count - 1, let full = numbers.first else {
      return nil
    }
    switch word {
    case "muted": isMuted = true
    case "on": isMuted = false
    case "-": isMuted = nil
    default: return nil
    }
    (self.full, volumes) = (full, Array(numbers.dropFirst()))
  }
}
