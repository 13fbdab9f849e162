import Glibc
import Platform

extension CalendarNames {
  /// As the locale has them (`nl_langinfo(3)`); English where it names none, names them in another charset than UTF-8, or
  /// is not installed. Sets the C library's locale for times.
  static func ofLocale() -> CalendarNames {
    guard let locale = setlocale(LC_TIME, "").map({ String(cString: $0) }), !["C", "POSIX"].contains(locale),
      !locale.hasPrefix("C.")
    else { return .english }
    func name(_ item: Int) -> String {
      nl_langinfo(nl_item(item)).flatMap { String(validatingCString: $0) }.map { clean($0) } ?? ""
    }
    // The C library counts from Sunday.
    func names(_ first: Int, _ count: Int) -> [String] { (0..<count).map { name(first + $0) } }
    func fromMonday(_ first: Int) -> [String] {
      let names = names(first, 7)
      return Array(names[1...] + names[..<1])
    }
    var english = CalendarNames.english
    english.firstWeekday = firstWeekday()
    return CalendarNames(
      weekdays: fromMonday(Int(ABDAY_1)), longWeekdays: fromMonday(Int(DAY_1)),
      months: names(Int(ABMON_1), 12), longMonths: names(Int(MON_1), 12),
      halves: [name(Int(AM_STR)), name(Int(PM_STR))], firstWeekday: english.firstWeekday) ?? english
  }

  /// The first byte counts the days from the one that the week's own item names: a Sunday, or a Monday (glibc's
  /// locale(5), LC_TIME: `week`, `first_weekday`).
  private static func firstWeekday() -> Int {
    guard let first = nl_langinfo(nl_item(_NL_TIME_FIRST_WEEKDAY)), first.pointee > 0 else { return 1 }
    // A number in the place of the text: 19971130 was a Sunday, 19971201 a Monday.
    let start = Int(bitPattern: nl_langinfo(nl_item(_NL_TIME_WEEK_1STDAY)))
    let day = Int(first.pointee) - 1
    return (start == 19_971_201 ? day : (day + 6)) % 7 + 1
  }
}

extension Places {
  /// The folders of this process. The music lies where `music` says, else in `~/Music` where that is there, else at home.
  static func ofProcess(_ paths: Paths, music: String?) -> Places {
    let root = Places.root
    let home = FileName(bytes: Array(paths.home.utf8)) ?? root.home
    let current = (try? FileName.currentFolder()) ?? home
    let wanted = music.flatMap { FileName(text: $0) }?.absolute(from: home, home: paths.home)
    let usual = home.appending(Array("Music".utf8))
    let folder = [wanted, usual].compactMap { $0 }.first { $0.isFolder } ?? home
    let sounds = paths.soundFolders.compactMap { FileName(bytes: Array($0.utf8)) }.filter(\.isFolder)
    let names = sounds.compactMap { try? Folder.read($0).get() }.flatMap(\.entries).filter {
      $0.kind == .track
    }
    .compactMap { String(validating: $0.name, as: UTF8.self) }.map { String($0.prefix { $0 != "." }) }
    let known = Set(names).subtracting(["silence", ""])
    return Places(
      home: home, current: current, music: folder, sounds: sounds.last,
      soundNames: known.sorted())
  }
}

extension FileName {
  fileprivate var isFolder: Bool {
    var status = stat()
    return withCPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
