import Wire

/// How loud what is heard is, in one row: for each channel a bar up to the mean, a fainter one up to the peak, a mark at the
/// largest peak of late, and that as a number.
func drawMeter(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard let channels = model.meter?.channels, !channels.isEmpty, !row.isEmpty else { return }
  let gap = 3
  let row = Area(column: row.column + 2, row: row.row, columns: row.columns - 2, rows: 1)
  let columns = (row.columns - gap * (channels.count - 1)) / channels.count
  for (index, channel) in channels.enumerated() {
    let part = Area(
      column: row.column + index * (columns + gap), row: row.row, columns: columns, rows: 1)
    let name = channels.count == 1 ? "" : index == 0 ? "L " : "R "
    drawChannel(channel, name, part, &frame)
  }
}

private func drawChannel(_ channel: Meter.Channel, _ name: String, _ part: Area, _ frame: inout Frame) {
  let isLoud = channel.held >= -1
  let start = frame.put(name, part.column, part.row, in: part, .dim)
  let number = channel.held <= -MeterScale.decibels ? "---" : "\(Int(channel.held.rounded()))"
  frame.putRight(number, part.row, in: part, isLoud ? .warning : .dim)
  // Always as much, so that nothing moves with the number.
  let bar = Area(column: start, row: part.row, columns: part.endColumn - 5 - start, rows: 1)
  guard bar.columns > 0 else { return }
  let scale = MeterScale(columns: bar.columns)
  let (mean, peak) = (scale.column(of: channel.rms), scale.column(of: channel.peak))
  let signs = frame.charset == .unicode ? ("━", "╌", "─", "┃") : ("=", "-", ".", "|")
  func put(_ sign: String, _ columns: Range<Int>, _ style: Style) {
    frame.put(
      String(repeating: sign, count: columns.count), bar.column + columns.lowerBound, bar.row, in: bar, style,
      ellipsis: false)
  }
  put(signs.0, 0..<mean, Style(.bar))
  put(signs.1, mean..<max(mean, peak), Style(.bar))
  put(signs.2, max(mean, peak)..<bar.columns, Style(.barRest))
  let held = scale.column(of: channel.held)
  if held > 0 { put(signs.3, held - 1..<held, isLoud ? .warning : .strong) }
}

/// Where a level stands in a bar: even steps of decibels.
private struct MeterScale {
  /// The bar begins so far under full scale.
  static let decibels = 50.0
  let columns: Int

  func column(of level: Double) -> Int {
    let share = (level + MeterScale.decibels) / MeterScale.decibels
    return min(columns, max(0, Int((share * Double(columns)).rounded())))
  }
}
