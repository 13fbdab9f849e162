/// Which days a repeating rule names.
public enum Days: Hashable, Sendable {
  case weekly(Set<Weekday>)
  /// Days of the month, 1–31; months that are too short have none.
  case monthDays(Set<Int>)
  case lastDayOfMonth
  /// The first to fourth (1…4) or last (`Ordinal.last`) such weekday of every month.
  case ordinal(Set<Ordinal>, Weekday)
  /// Every year; 29 February only in leap years.
  case yearly(month: Int, day: Int)
  /// Several of the above: a day counts where any of them names it.
  case any([Days])

  /// All seven days of the week.
  public static let daily = Days.weekly(Set(Weekday.allCases))
}

/// Which one of a month's weekdays.
public enum Ordinal: Int, Hashable, Sendable, CaseIterable, Comparable {
  case first = 1, second, third, fourth, last

  public static func < (left: Ordinal, right: Ordinal) -> Bool { left.rawValue < right.rawValue }
}

/// When an alarm is due. Wall-clock rules are read in a zone that is given from outside, and follow it.
public enum Rule: Hashable, Sendable {
  /// One date. `clockAlone` remembers that only a clock time was given (`07:00`): switched on again, such an alarm
  /// takes the next such time.
  case once(LocalDate, ClockTime, clockAlone: Bool)
  case every(Days, ClockTime)
  /// An instant given with its offset: no zone moves it.
  case fixed(Instant)
  /// A span of elapsed time from when it was set: suspended time counts, a set clock does not.
  case timer(Duration)
}
