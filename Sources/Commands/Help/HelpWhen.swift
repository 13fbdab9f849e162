/// `alarm help when`: how times are written.
enum HelpWhen {
  static let grammar = [
    "when   every DAYS at CLOCK | CLOCK every DAYS | on DATE at CLOCK | CLOCK DATE",
    "       | +SPAN | in SPAN | YYYY-MM-DDTHH:MM[:SS][Z|±HH:MM]",
    "clock  H:MM[:SS] | HHhMM | HHMM | H[:MM] am|pm | noon | midnight",
    "date   today | tomorrow | this WEEKDAY | YYYY-MM-DD",
    "       | D MONTH [YYYY] | MONTH D [YYYY]",
    "days   daily | weekdays | weekends | WEEKDAY[-WEEKDAY][, …] | day N[,N]",
    "       | last day | 1st..4th|last WEEKDAY | every D MONTH",
    "span   numbers with units: s sec m min h hour d day w week; 1h30; half an hour",
  ]

  /// Every form with what it means. Each is tried by a test.
  static let sections: [(title: String, examples: [Example])] = [
    (
      "Once",
      [
        Example("07:00", "the next time it is seven; also 7:00, 7am, 7:30 pm, 0730, 07h30, noon, midnight"),
        Example("tomorrow 6:30", "also 6:30 tomorrow, today at 23:15"),
        Example("this fri 8am", "also on fri 8am: today while it is ahead, else in a week"),
        Example("on 24 December 18:00", "the next such day; also Dec 24 6pm, 24th December at 18:00"),
        Example("2027-01-31 07:00", "also 31 January 2027 07:00, Sun, Jan 31, 2027 07:00"),
        Example("2027-01-31T07:00:00+01:00", "an instant that no zone moves"),
      ]
    ),
    (
      "Again and again",
      [
        Example("daily 07:00", "also every day 07:00, 07:00 daily"),
        Example("mon-fri 07:00", "also weekdays 7am, mon..fri 07:00; fri-mon goes over the weekend"),
        Example("sat, sun 9:30", "also weekends 9:30, every sat and the like"),
        Example("mon 07:00", "every Monday: a weekday with a clock time repeats"),
        Example("day 1,15 09:00", "days of the month; those that a month lacks are left out"),
        Example("last day 18:00", "of every month"),
        Example("1st,3rd mon 18:30", "also first mon, last fri"),
        Example("every 24 December 18:00", "every year"),
      ]
    ),
    (
      "In a while",
      [
        Example("+25m", "also in 25 minutes, +90s, +1h30, in half an hour, in 2 days"),
        Example("in an hour", "real time: a clock that is set does not change it"),
      ]
    ),
  ]

  static func lines() -> [String] {
    var lines = ["WHEN is written in English, in any case, and needs no quotes:", ""]
    lines += grammar.map { "  " + $0 }
    lines += [
      "",
      "“every”, “on” and “at” may be left out where nothing else could be meant.",
    ]
    for section in sections {
      lines += ["", section.title]
      for example in section.examples { lines += HelpText.entry(example.line, example.does, 26) }
    }
    lines += [""]
    lines += Columns.wrap(
      "“alarm when mon-fri 07:00 --count 3” shows what is understood without adding anything.",
      to: HelpText.width)
    return lines
  }
}
