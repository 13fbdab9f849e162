extension ZoneTable {
  /// Reads a zone file (RFC 9636, "TZif", versions 1 to 4); nil where the bytes are none, are cut short, count leap
  /// seconds, or contradict themselves.
  convenience init?(file bytes: [UInt8]) {
    guard var part = ZonePart(bytes, from: 0, wide: false) else { return nil }
    var rule: PosixRule?
    if part.version >= 2 {
      guard let second = ZonePart(bytes, from: part.end, wide: true) else { return nil }
      part = second
      let footer = bytes[part.end...]
      guard footer.first == 10, let close = footer.dropFirst().firstIndex(of: 10) else { return nil }
      let text = String(decoding: footer[(footer.startIndex + 1)..<close], as: UTF8.self)
      if !text.isEmpty {
        rule = PosixRule(text)
        if rule == nil { return nil }
      }
    }
    self.init(before: part.firstOffset, transitions: part.transitions, rule: rule)
  }
}

/// One data block of a zone file: the first has times of 32 bits, the second of 64.
private struct ZonePart {
  let version: Int
  /// Where the block ends in the file.
  let end: Int
  let firstOffset: Int
  let transitions: [(second: Int, offset: Int)]

  init?(_ bytes: [UInt8], from start: Int, wide: Bool) {
    func integer(at position: Int, width: Int) -> Int {
      var value: Int64 = bytes[position] >= 0x80 ? -1 : 0
      for index in position..<(position + width) { value = value << 8 | Int64(bytes[index]) }
      return Int(value)
    }
    guard bytes.count - start >= 44, bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else { return nil }
    version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 48
    let counts = (0..<6).map { integer(at: start + 20 + $0 * 4, width: 4) }
    let (universal, standard, leaps, times, types, names) =
      (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])
    // Bounds no real file comes near, so that the sums below cannot overflow.
    guard counts.allSatisfy({ (0...100_000).contains($0) }), types > 0, leaps == 0 else { return nil }
    let width = wide ? 8 : 4
    let indices = start + 44 + times * width
    let records = indices + times
    end = records + types * 6 + names + standard + universal
    guard end <= bytes.count else { return nil }
    let offsets = (0..<types).map { integer(at: records + $0 * 6, width: 4) }
    // No place is a day and two hours from UTC; times before the year -100 000 stand for "always".
    guard offsets.allSatisfy({ abs($0) < 26 * 3600 }) else { return nil }
    var transitions: [(second: Int, offset: Int)] = []
    for index in 0..<times {
      let second = integer(at: start + 44 + index * width, width: width)
      let type = Int(bytes[indices + index])
      guard type < types, abs(second / 86_400) < 36_524_250 else {
        if type < types, second < 0 { continue }
        return nil
      }
      guard second > transitions.last?.second ?? Int.min else { return nil }
      transitions.append((second, offsets[type]))
    }
    self.transitions = transitions
    firstOffset = offsets[0]
  }
}
