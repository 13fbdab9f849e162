import Platform
import Schedule
import Wire

/// Words that are known only on this machine at this moment. What the engine knows is asked of one that runs; where none
/// does, or it refuses, there are none.
struct KnownWords {
  private let outside: Surroundings

  init(_ outside: Surroundings) { self.outside = outside }

  /// Beginnings of WHEN.
  static let times: [Completion.Candidate] = [
    "today", "tomorrow", "daily", "weekdays", "weekends", "every", "this", "on", "in", "mon", "tue", "wed",
    "thu", "fri",
    "sat", "sun", "noon", "midnight", "last", "first", "day",
  ].map { Completion.Candidate($0) }

  func alarms() -> [Completion.Candidate] {
    ask("list", as: [AlarmEntry].self)?.map { alarm in
      .init(String(alarm.id), alarm.sentence + (alarm.label.isEmpty ? "" : "  " + alarm.label))
    } ?? []
  }

  func leases() -> [Completion.Candidate] {
    ask("status", as: Status.self)?.awake.leases.map { lease in
      .init(String(lease.id), lease.reason.isEmpty ? lease.owner : lease.reason)
    } ?? []
  }

  func occurrences() -> [Completion.Candidate] {
    ask("status", as: Status.self)?.inbox.map { .init($0.occurrence, $0.label) } ?? []
  }

  func devices() -> [Completion.Candidate] {
    [.init("auto", "as the settings say")]
      + (ask("output.list", as: [OutputEntry].self)?.map { .init($0.name, $0.description) } ?? [])
  }

  func sounds() -> [Completion.Candidate] {
    HelpSounds.find(in: outside.paths.soundFolders).map { .init($0.name) }
  }

  func zones() -> [Completion.Candidate] { Zone.allIdentifiers.map { .init($0) } }

  private func ask<Reply: Decodable>(_ method: String, as kind: Reply.Type) -> Reply? {
    do throws(WireError) {
      return try outside.connect(false)?.ask(method, [:], as: kind)
    } catch {
      return nil
    }
  }
}
