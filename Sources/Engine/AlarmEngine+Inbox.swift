import Core
import Platform
import Schedule
import Wire

// Notifications, the inbox and the story.
extension AlarmEngine {
  /// What one answer of the socket may hold: the other side takes lines of 1 MiB.
  private static let answerBytes = 900_000

  func inbox(_ params: Params) throws(WireError) -> [Status.InboxEntry] {
    let before = shapes.inbox(bytes: AlarmEngine.answerBytes, count: AlarmBook.inboxLimit)
    let (isSeen, clears) = (try params.flag("seen"), try params.flag("clear"))
    if isSeen { try tell(.inboxSeen) }
    guard clears else { return before }
    try tell(.inboxCleared)
    return before.filter { $0.state == Occurrence.State.missed.rawValue }
  }

  func log(_ request: Request, _ params: Params) throws(WireError) {
    let id = try params.optionalID()
    let words = StoryWords(zone: now.zone)
    let stories: [Story]
    do {
      stories = try keeper.stories(of: id, limit: 1000)
    } catch {
      throw WireError(code: ErrorCode.refused, error.description)
    }
    if let id, stories.isEmpty, book.alarm(id) == nil {
      throw WireError(
        code: ErrorCode.refused,
        "there is no alarm \(id), and no story of one; “alarm list” shows those there are")
    }
    var room = AlarmEngine.answerBytes
    var entries: [LogEntry] = []
    for story in stories {
      let entry = words.entry(story, because: shapes.why)
      room -= entry.story.reduce(400 + entry.label.utf8.count * 2) { $0 + 120 + $1.text.utf8.count * 2 }
      if room < 0 { break }
      entries.append(entry)
    }
    request.reply(entries)
  }
}
