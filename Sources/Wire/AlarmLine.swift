import FoundationEssentials

extension Outgoing {
  /// The reply to `list`: what `reply(id:result:)` makes of these, written by hand, because an encoder takes 40 µs for an
  /// alarm and there may be a hundred thousand of them.
  public static func reply(id: JSON, alarms: [AlarmEntry]) -> [UInt8] {
    var line = AlarmLine()
    line.bytes.reserveCapacity(64 + alarms.count * 400)
    line.put("{\"jsonrpc\":\"2.0\",\"id\":")
    line.bytes += (try? JSONEncoder().encode(id)) ?? Data("null".utf8)
    line.put(",\"result\":[")
    for (index, alarm) in alarms.enumerated() {
      if index > 0 { line.put(",") }
      line.write(alarm)
    }
    line.put("]}\n")
    return line.bytes
  }
}

/// Alarms on their way into a line of JSON. The keys are those of `AlarmEntry`; a test compares the two.
private struct AlarmLine {
  var bytes: [UInt8] = []

  mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ alarm: AlarmEntry) {
    put("{\"id\":")
    write(alarm.id)
    put(",\"when\":")
    write(alarm.when)
    put(",\"sentence\":")
    write(alarm.sentence)
    put(",\"enabled\":")
    write(alarm.enabled)
    put(",\"next\":")
    write(alarm.next)
    put(",\"nextShown\":")
    write(alarm.nextShown)
    put(",\"inSeconds\":")
    write(alarm.inSeconds)
    put(",\"label\":")
    write(alarm.label)
    put(",\"zone\":")
    write(alarm.zone)
    put(",\"sound\":")
    write(alarm.sound)
    put(",\"volume\":")
    write(alarm.volume)
    put(",\"fade\":")
    write(alarm.fade)
    put(",\"snooze\":")
    write(alarm.snooze)
    put(",\"snoozeLimit\":")
    write(alarm.snoozeLimit)
    put(",\"silenceAfter\":")
    write(alarm.silenceAfter)
    put(",\"body\":")
    write(alarm.body)
    put(",\"action\":")
    write(alarm.action)
    put(",\"userInfo\":{")
    var isFirst = true
    for (key, value) in alarm.userInfo {
      if !isFirst { put(",") }
      isFirst = false
      write(key)
      put(":")
      write(value)
    }
    put("},\"badge\":")
    write(alarm.badge)
    put(",\"run\":")
    write(alarm.run)
    put(",\"until\":")
    write(alarm.until)
    put(",\"count\":")
    write(alarm.count)
    put(",\"skips\":[")
    for (index, skip) in alarm.skips.enumerated() {
      put(index > 0 ? ",{\"from\":" : "{\"from\":")
      write(skip.from)
      put(",\"until\":")
      write(skip.until)
      put("}")
    }
    put("],\"state\":")
    write(alarm.state)
    put(",\"missed\":")
    write(alarm.missed)
    put("}")
  }

  private mutating func write(_ missed: AlarmEntry.Missed?) {
    guard let missed else { return put("null") }
    put("{\"at\":")
    write(missed.at)
    put(",\"shown\":")
    write(missed.shown)
    put(",\"reason\":")
    write(missed.reason)
    put(",\"because\":")
    write(missed.because)
    put("}")
  }

  // MARK: Values

  private mutating func write(_ value: Bool) { put(value ? "true" : "false") }

  private mutating func write(_ value: Int?) {
    guard let value else { return put("null") }
    bytes += String(value).utf8
  }

  private mutating func write(_ value: Double?) {
    guard let value, value.isFinite else { return put("null") }
    if let whole = Int64(exactly: value) { bytes += String(whole).utf8 } else { bytes += "\(value)".utf8 }
  }

  private mutating func write(_ text: String?) {
    guard let text else { return put("null") }
    put("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): put("\\\"")
      case UInt8(ascii: "\\"): put("\\\\")
      case 0..<0x20:
        put("\\u00")
        bytes.append(byte < 0x10 ? 0x30 : 0x31)
        bytes.append(Array("0123456789abcdef".utf8)[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    put("\"")
  }
}
