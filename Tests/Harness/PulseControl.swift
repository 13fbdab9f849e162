// The server's own settings, as a person changes them.
extension PulseServer {
  /// `pactl` with these words; what it prints.
  @discardableResult
  public func control(_ words: String...) throws -> String {
    String(decoding: try runOrThrow(["pactl"] + words, environment: environment), as: UTF8.self)
  }

  /// Volume of the sink, in percent.
  public func sinkVolume(_ name: String = "sink") throws -> Int {
    let text = try control("get-sink-volume", name)
    let word = text.split(separator: " ").first { $0.hasSuffix("%") } ?? ""
    return Int(word.dropLast()) ?? -1
  }

  public func sinkIsMuted(_ name: String = "sink") throws -> Bool {
    try control("get-sink-mute", name).contains("yes")
  }

  /// The sink is gone, as a card is that was pulled out.
  public func removeSink() throws {
    switch kind {
    case .pulseAudio: try control("unload-module", "module-null-sink")
    // No module of its pulse server made it.
    case .pipeWire: try runOrThrow(["pw-cli", "destroy", "sink"], environment: environment)
    }
  }
}
