/// The names of days and months, and where a week begins, as the person's locale has them.
public struct CalendarNames: Hashable, Sendable {
  /// From Monday on.
  public var weekdays: [String]
  public var longWeekdays: [String]
  public var months: [String]
  public var longMonths: [String]
  /// Before and after noon.
  public var halves: [String]
  /// 1 is Monday, 7 is Sunday.
  public var firstWeekday: Int

  /// nil where there are too few names, or empty ones.
  public init?(
    weekdays: [String], longWeekdays: [String], months: [String], longMonths: [String], halves: [String],
    firstWeekday: Int
  ) {
    guard weekdays.count == 7, longWeekdays.count == 7, months.count == 12, longMonths.count == 12,
      halves.count == 2, (1...7).contains(firstWeekday),
      !(weekdays + longWeekdays + months + longMonths).contains("")
    else { return nil }
    (self.weekdays, self.longWeekdays, self.months, self.longMonths) = (
      weekdays, longWeekdays, months, longMonths
    )
    self.halves = halves.contains("") ? CalendarNames.english.halves : halves
    self.firstWeekday = firstWeekday
  }

  private init() {
    weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    longWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    longMonths = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    halves = ["AM", "PM"]
    firstWeekday = 1
  }

  public static let english = CalendarNames()
}
