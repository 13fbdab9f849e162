import CLinux
import Core
import Platform
import Schedule
import Wire

// Alarms that go elsewhere, and alarms that come from there.
extension AlarmEngine {
  /// So many alarms in one answer: it is written in some milliseconds.
  private static let exportedAtOnce = 500

  func exportAlarms(_ request: Request, _ params: Params) throws(WireError) {
    let after = try params.integer("after", in: 0...Int.max) ?? 0
    let copies = book.copies(after: after, limit: AlarmEngine.exportedAtOnce, at: now)
    let isLast = copies.count < AlarmEngine.exportedAtOnce
    request.reply(ExportReply(alarms: copies, next: isLast ? nil : copies.last?.id))
  }

  /// Gathers what comes on one connection, and takes it all at once when the last has come.
  func importAlarms(_ request: Request) throws(WireError) {
    let connection = request.connection
    let gathered = connection.gathered
    connection.gathered = []
    let params: ImportParams = try request.params.decode()
    let count = gathered.count + params.alarms.count
    guard count <= ImportParams.mostAlarms else {
      throw WireError(
        code: ErrorCode.refused,
        "an import may bring in \(ImportParams.mostAlarms) alarms, not more: divide the file")
    }
    for copy in params.alarms { try AlarmWords.requireBounds(of: copy.draft) }
    guard !params.more else {
      connection.gathered = gathered + params.alarms
      return request.reply(ImportReply())
    }
    let answer = try tell(.bringIn(gathered + params.alarms))
    request.reply(ImportReply(ids: answer.alarms, warnings: answer.warnings))
    if count > 1000 { reveille_return_memory() }
  }
}

extension AlarmWords {
  /// What `add` refuses of an option's length is not brought in by another way.
  static func requireBounds(of draft: AlarmDraft) throws(WireError) {
    _ = try bounded(draft.label, "label", longestLabel)
    _ = try bounded(draft.body, "body", 16_000)
    _ = try bounded(draft.action, "action", 200)
    _ = try bounded(draft.run, "run", 16_000)
    _ = try bounded(draft.sound ?? "", "sound", 16_000)
    try requireInfo(draft.info)
  }
}
