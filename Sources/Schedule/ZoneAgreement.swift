import Glibc

extension Zone {
  /// The zone with exactly that name as it now stands in the machine's own database, whatever `TZDIR` says and whatever
  /// was read before; nil where that has no such zone. Reads a file.
  public static func ofSystem(_ identifier: String) -> Zone? {
    ZoneLibrary(folders: ZoneLibrary.systemFolders, etc: "/etc", variable: { _ in nil }).zone(
      exactly: identifier)
  }

  /// The first instant in a stretch of time at which this zone and another one show different times; nil where they agree
  /// throughout.
  public func disagreement(with other: Zone, from start: Instant, until end: Instant) -> Instant? {
    let turns = [self, other].flatMap { $0.table.turns(after: start.seconds, until: end.seconds) }.sorted()
    // Between two changes of either nothing can begin to differ.
    return ([start.seconds] + turns).first { table.offset(at: $0) != other.table.offset(at: $0) }
      .map(Instant.init(seconds:))
  }

  /// The same with the C library, which every other program of the machine asks (`localtime_r`): for the zone in force.
  /// Looked at before and after each change of ours, and once a week between.
  public func disagreementWithCLibrary(from start: Instant, until end: Instant) -> Instant? {
    let turns = table.turns(after: start.seconds, until: end.seconds)
    let weeks = stride(from: start.seconds, to: end.seconds, by: 7 * ZoneTable.day)
    let seconds = (turns + turns.map { $0 - 1 } + weeks).sorted()
    return seconds.first { second in
      var (time, parts) = (time_t(second), tm())
      return localtime_r(&time, &parts) == nil || parts.tm_gmtoff != table.offset(at: second)
    }.map(Instant.init(seconds:))
  }
}
