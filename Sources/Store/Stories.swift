import Core
import Schedule

extension Store {
  /// What happened to the occurrences of one alarm, or of all, the newest first. Those that are only planned have no story.
  ///
  /// What could not be stored yet is told too.
  ///
  /// - Parameter limit: how many occurrences at most.
  public func stories(of alarm: Int?, limit: Int) throws(StoreError) -> [Story] {
    try withOwed { () throws(StoreError) in try storedStories(of: alarm, limit: limit) }
  }

  private func storedStories(of alarm: Int?, limit: Int) throws(StoreError) -> [Story] {
    var occurrences: [Occurrence] = []
    let shape = Int64(Migrations.all.count)
    let condition = alarm == nil ? "" : "AND alarm = ?"
    try database.statement(
      "SELECT * FROM occurrences WHERE state <> 'scheduled' \(condition) ORDER BY due DESC, id DESC LIMIT ?"
    ).each((alarm.map { [.integer($0)] } ?? []) + [.integer(limit)]) { row throws(StoreError) in
      occurrences.append(try Store.occurrence(row, shape))
    }
    var stories: [Story] = []
    for occurrence in occurrences {
      var story = Story(occurrence: occurrence, lines: [])
      try database.statement("SELECT * FROM story WHERE occurrence = ? ORDER BY number").each(
        [.text(occurrence.id.description)]
      ) { row throws(StoreError) in
        let kind = try row.require(row.text(3).flatMap(StoryLine.Kind.init(rawValue:)), "a story")
        var line = StoryLine(
          occurrence.id, kind, at: Instant(microseconds: row.integer(2) ?? 0), text: row.text(4) ?? "")
        line.reason = row.text(5).flatMap(Occurrence.Reason.init(rawValue:))
        line.from = row.integer(6).map { Instant(microseconds: $0) }
        line.until = row.integer(7).map { Instant(microseconds: $0) }
        line.span = row.span(8)
        story.lines.append(line)
      }
      stories.append(story)
    }
    return stories
  }
}
