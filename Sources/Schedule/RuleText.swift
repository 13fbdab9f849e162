extension Rule {
  /// The rule in the words of the WHEN grammar, always the same for the same rule: `every Mon-Fri 07:00`, `2026-12-01 07:00`,
  /// `+25m`, `2026-03-27T01:17:00Z`. For storing and for showing; `init(text:)` reads it back (all but `clockAlone`).
  public var text: String {
    switch self {
    case .once(let date, let clock, _): "\(date) \(clock)"
    case .every(let days, let clock): "every \(days.text) \(clock)"
    case .fixed(let instant): instant.isoUTC
    case .timer(let span): "+\(Span.compact(span))"
    }
  }

  /// What `add` says of the rule: `every Mon-Fri 07:00`, `once 2026-12-01 07:00`; always `once …` or `every …`, and
  /// the words after a date are read in `zone`.
  public func sentence(in zone: Zone) -> String {
    switch self {
    case .every: text
    case .once: "once \(text)"
    case .fixed(let instant): "once \(instant.iso(in: zone))"
    case .timer(let span): "once +\(Span.compact(span))"
    }
  }
}

extension Days {
  /// The days as the grammar writes them behind `every`: `day`, `Mon-Fri`, `day 1,15`, `last day`, `1st,3rd Mon`, `29 Feb`.
  public var text: String {
    switch self {
    case .weekly(let weekdays): Days.text(weekdays)
    case .monthDays(let days): "day \(days.sorted().map { String($0) }.joined(separator: ","))"
    case .lastDayOfMonth: "last day"
    case .ordinal(let ordinals, let weekday):
      "\(ordinals.sorted().map(\.short).joined(separator: ",")) \(weekday.short)"
    case .yearly(let month, let day): "\(day) \(Month.short(month))"
    case .any(let several): several.map(\.text).joined(separator: ", ")
    }
  }

  /// Joins several into one: weekdays with weekdays, days of the month with theirs, nothing twice, nothing nested.
  static func joined(_ several: [Days]) -> Days {
    var result: [Days] = []
    for days in several {
      if case .any(let inner) = days {
        result = Days.parts(of: Days.joined(result + inner))
        continue
      }
      let partner = result.firstIndex {
        switch ($0, days) {
        case (.weekly, .weekly), (.monthDays, .monthDays): true
        case (.ordinal(_, let left), .ordinal(_, let right)): left == right
        default: $0 == days
        }
      }
      guard let partner else {
        result.append(days)
        continue
      }
      switch (result[partner], days) {
      case (.weekly(let left), .weekly(let right)): result[partner] = .weekly(left.union(right))
      case (.monthDays(let left), .monthDays(let right)): result[partner] = .monthDays(left.union(right))
      case (.ordinal(let left, let weekday), .ordinal(let right, _)):
        result[partner] = .ordinal(left.union(right), weekday)
      default: break
      }
    }
    return result.count == 1 ? result[0] : .any(result)
  }

  private static func parts(of days: Days) -> [Days] {
    if case .any(let several) = days { several } else { [days] }
  }

  /// `day` for all seven; runs of three or more as `Mon-Fri`, over Sunday too (`Fri-Mon`); else a list.
  private static func text(_ weekdays: Set<Weekday>) -> String {
    if weekdays.count == 7 { return "day" }
    // Begin behind a day that is not in the set, so that no run is cut in two.
    guard let gap = Weekday.allCases.first(where: { !weekdays.contains($0) }) else { return "" }
    var runs: [[Weekday]] = [[]]
    for weekday in (1...7).map({ gap.adding($0) }) {
      if weekdays.contains(weekday) {
        runs[runs.count - 1].append(weekday)
      } else if !runs[runs.count - 1].isEmpty {
        runs.append([])
      }
    }
    runs.removeAll(where: \.isEmpty)
    runs.sort { $0[0] < $1[0] }
    // Sunday and Monday side by side are listed as the week has them.
    let parts = runs.flatMap { run in
      run.count > 2 ? [(run[0], "\(run[0].short)-\(run[run.count - 1].short)")] : run.map { ($0, $0.short) }
    }
    return parts.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: ",")
  }
}
