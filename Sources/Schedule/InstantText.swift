extension Instant {
  /// ISO 8601 with the offset of the zone, whole seconds, rounded down: `2026-11-30T07:00:00+01:00`; UTC is `+00:00`.
  public func iso(in zone: Zone) -> String {
    let (date, clock, offset) = zone.local(self)
    return "\(date)T\(clock.full)\(Offset.text(offset))"
  }

  /// Reads ISO 8601 with an offset: `2026-11-30T07:00:00+01:00`, `2026-11-30 07:00Z`; a fraction of a second is taken to the
  /// microsecond. nil for everything else, an instant without an offset too.
  public init?(iso: String) {
    var reader = DigitReader(iso)
    guard let date = reader.date(), reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2)
    else { return nil }
    var second = 0
    var fraction = 0
    if reader.skip(":") {
      guard let value = reader.number(2) else { return nil }
      second = value
      if reader.skip(".") || reader.skip(",") {
        guard let value = reader.microseconds() else { return nil }
        fraction = value
      }
    }
    guard let clock = ClockTime(hour: hour, minute: minute, second: second), let offset = reader.offset(),
      reader.atEnd
    else { return nil }
    let seconds = date.dayNumber * 86_400 + clock.secondOfDay - offset
    self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
  }

  /// Reads the grammar's `instant`: as `init(iso:)`, and without an offset as what the wall shows in `zone`.
  public init?(iso: String, in zone: Zone) {
    if let instant = Instant(iso: iso) {
      self = instant
      return
    }
    var reader = DigitReader(iso)
    guard let date = reader.date(), reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let clock = ClockTime(iso.dropFirst(11)), let resolved = zone.instant(date, clock)
    else { return nil }
    self = resolved.instant
  }

  /// As a person reads it: `Mon 30 Nov 07:00`; with the year where it is not the year of `now` or more than eleven months
  /// away, with seconds where they are not zero.
  public func shown(in zone: Zone, now: Instant) -> String {
    let (date, clock, _) = zone.local(self)
    let year = zone.local(now).date.year
    let far = abs((self.seconds - now.seconds) / 86_400) > 334
    let day = "\(date.weekday.short) \(date.day) \(Month.short(date.month))"
    return date.year != year || far ? "\(day) \(date.year) \(clock)" : "\(day) \(clock)"
  }

  /// Exact, in universal time: `2026-03-27T01:17:00Z`, with as many digits of a fraction as it has.
  public var isoUTC: String {
    let (date, clock, _) = Zone.utc.local(self)
    let fraction = Int(microseconds - seconds * 1_000_000)
    return "\(date)T\(clock.full)\(fraction == 0 ? "" : "." + padded(fraction, 6))Z"
  }
}

extension ClockTime {
  /// With seconds, always: `07:00:00`.
  var full: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }
}

enum Offset {
  /// `+01:00`; the seconds of an old local mean time are shown too: `-00:01:15`.
  static func text(_ offset: Int) -> String {
    let size = abs(offset)
    let minutes = "\(offset < 0 ? "-" : "+")\(padded(size / 3600, 2)):\(padded(size / 60 % 60, 2))"
    return size % 60 == 0 ? minutes : "\(minutes):\(padded(size % 60, 2))"
  }
}

/// Reads fixed runs of digits.
struct DigitReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  var atEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  /// A number of exactly so many digits.
  mutating func number(_ digits: Int) -> Int? {
    guard rest.count >= digits, rest.prefix(digits).allSatisfy({ (48...57).contains($0) }) else { return nil }
    defer { rest.removeFirst(digits) }
    return rest.prefix(digits).reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// `YYYY-MM-DD`, a date that exists.
  mutating func date() -> LocalDate? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
      return nil
    }
    return LocalDate(year: year, month: month, day: day)
  }

  /// The digits behind a decimal point as microseconds; what is finer is dropped.
  mutating func microseconds() -> Int? {
    let digits = rest.prefix { (48...57).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest[digits.endIndex...]
    var value = 0
    for index in 0..<6 {
      value = value * 10 + (index < digits.count ? Int(digits[digits.startIndex + index] - 48) : 0)
    }
    return value
  }

  /// `Z` or `±HH:MM` (with `:SS` where there are any), in seconds east of UTC; at most 24 h.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let west = skip("-")
    guard west || skip("+"), let hours = number(2), hours <= 23, skip(":"), let minutes = number(2),
      minutes < 60
    else { return nil }
    var seconds = 0
    if skip(":") {
      guard let value = number(2), value < 60 else { return nil }
      seconds = value
    }
    let offset = hours * 3600 + minutes * 60 + seconds
    return west ? -offset : offset
  }
}
