import Wire

/// The last resort of a ring: where no device makes it heard, the terminal's bell does, once a second.
extension Model {
  static let bellPause: Int64 = 1_000_000

  /// An alarm sounds, as far as the engine goes, and what it sounds on reaches nobody.
  var ringsUnheard: Bool {
    guard let status, status.ringing.contains(where: \.sounding) else { return false }
    return !status.output.audible || status.output.state == "interrupted"
  }

  /// The bell where it is due; it is silent as soon as a device is back, or somebody has dealt with the ring.
  mutating func ringBell() -> [Effect] {
    guard ringsUnheard else {
      bellAt = nil
      return []
    }
    if let bellAt, now.monotonic < bellAt { return [] }
    bellAt = now.monotonic + Model.bellPause
    return [.bell]
  }
}
