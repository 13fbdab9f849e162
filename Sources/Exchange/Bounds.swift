import Core
import Schedule

extension AlarmCopy {
  /// What an alarm can carry here. A text that is longer is cut, and a value out of its range is left out, with a word
  /// about it.
  static let (longestLabel, longestBody, longestInfo) = (2000, 16_000, 32_000)

  static let mostSkips = 500

  mutating func takeBounded(_ name: String, _ context: ImportContext, _ changed: inout [Import.Remark]) {
    func tell(_ why: String) { changed.append(Import.Remark(name, why)) }
    if let cut = draft.label.cut(to: AlarmCopy.longestLabel) {
      draft.label = cut
      tell("its label is cut to \(AlarmCopy.longestLabel) bytes")
    }
    if let cut = draft.body.cut(to: AlarmCopy.longestBody) {
      draft.body = cut
      tell("its body is cut to \(AlarmCopy.longestBody) bytes")
    }
    if let cut = draft.action.cut(to: 200) {
      draft.action = cut
      tell("the name of its action is cut to 200 bytes")
    }
    if !draft.run.isEmpty, !context.takesCommands {
      tell(
        "its command (“\(draft.run.cut(to: 60).map { $0 + "…" } ?? draft.run)”) is left out; --with-commands takes it"
      )
      draft.run = ""
    } else if draft.run.utf8.count > AlarmCopy.longestBody || draft.run.utf8.contains(0) {
      draft.run = ""
      tell("its command is too long, or no line for a shell, and is left out")
    }
    if draft.info.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) > AlarmCopy.longestInfo {
      draft.info = []
      tell("its user-info is more than \(AlarmCopy.longestInfo) bytes and is left out")
    }
    if let sound = draft.sound, sound.utf8.count > AlarmCopy.longestBody {
      draft.sound = nil
      tell("its sound's name is too long and is left out")
    }
    func keep<Value: Comparable>(_ value: inout Value?, _ range: ClosedRange<Value>, _ what: String) {
      guard let given = value, !range.contains(given) else { return }
      value = nil
      tell("its \(what) is out of range and is left out")
    }
    let day = Duration.seconds(86_400)
    keep(&draft.volume, 0...100, "volume")
    keep(&draft.badge, AlarmDraft.badges, "badge")
    keep(&draft.fade, .zero...day, "fade")
    keep(&draft.snooze, .seconds(1)...day, "snooze")
    keep(&draft.silenceAfter, .seconds(1)...day, "silence-after")
    keep(&draft.snoozeLimit, 0...10_000, "snooze limit")
    keep(&draft.count, 1...1_000_000, "count")
    if skips.count > AlarmCopy.mostSkips {
      skips = Array(skips.sorted { $0.lowerBound < $1.lowerBound }.prefix(AlarmCopy.mostSkips))
      tell("of the dates that it leaves out the first \(AlarmCopy.mostSkips) are taken")
    }
    if counted < 0 || counted > 1_000_000_000 { counted = 0 }
  }
}

extension String {
  /// The longest beginning of at most so many bytes, cut between characters; nil where all of it fits.
  func cut(to bytes: Int) -> String? {
    guard utf8.count > bytes else { return nil }
    var end = utf8.index(startIndex, offsetBy: bytes)
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
