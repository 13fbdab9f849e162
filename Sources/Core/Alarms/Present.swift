extension AlarmBook {
  /// How things stand with everything that these changes are about: for a store that took them although whoever asked had
  /// been refused, because it did not answer in time.
  public func present(of changes: [Change]) -> [Change] {
    var result: [Change] = []
    for change in changes {
      switch change {
      case .alarm(let alarm): result.append(present(alarm.id))
      case .removed(let id): result.append(present(id))
      case .occurrence(let occurrence):
        if let present = live[occurrence.alarm], present.id == occurrence.id {
          result.append(.occurrence(present))
        } else if let present = upcoming[occurrence.id] {
          result.append(.occurrence(present))
        }
      case .inbox(let entry): result.append(present(entry.occurrence))
      case .outOfInbox(let id): result.append(present(id))
      case .badge: result.append(.badge(badge))
      // A number that was not used stays unused; the rest is told anew by whatever comes next.
      default: break
      }
    }
    return result
  }

  private func present(_ id: Int) -> Change { alarms[id].map(Change.alarm) ?? .removed(alarm: id) }

  private func present(_ id: OccurrenceID) -> Change {
    inbox.first { $0.occurrence == id }.map(Change.inbox) ?? .outOfInbox(id)
  }
}
