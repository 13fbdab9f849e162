import CLinux
import Core
import Exchange
import Glibc
import Platform
import Schedule
import Wire

extension Command {
  static let export = Command(
    "export", .alarms, forms: ["[FILE|-] [--ical]"], "writes all alarms to a file, or to the standard output",
    about: [
      "As JSON, with everything an alarm has: “alarm import” makes the same alarms of it. With --ical, or where FILE ends in .ics, as iCalendar for calendars and phones; what they know no word for is in properties of our own, which “alarm import” reads again. What a calendar cannot say is listed on standard error.",
      "Shell lines of --run are written too: look whom you give the file to. The file can be read by nobody else (0600).",
    ],
    options: [Option("ical", "writes iCalendar instead of JSON")],
    examples: [
      Example("alarm export alarms.json", "everything, to be brought in elsewhere"),
      Example("alarm export alarms.ics", "for a calendar"),
      Example("alarm export --ical -", "to the standard output"),
    ]
  ) { call throws(Complaint) in
    guard call.words.count <= 1 else {
      throw .wrongWords("“alarm export” takes one file's name; put quotes around one with spaces")
    }
    let file = call.words.first.flatMap { $0.bytes == [UInt8(ascii: "-")] ? nil : $0 }
    let isCalendar = call.has("ical") || file.map { $0.bytes.suffix(4) == Array(".ics".utf8)[...] } ?? false
    let text = isCalendar ? try Handover.calendar(call) : try Handover.document(call)
    guard let file else {
      Handover.print(text, call)
      return 0
    }
    try Handover.write(text, to: file)
    return 0
  }
}

/// What `export` and `import` have in common.
enum Handover {
  /// Calls `body` with every alarm there is.
  static func each(_ call: Call, _ body: (AlarmCopy) throws(ExchangeError) -> Void) throws(Complaint) {
    let link = try call.engine()
    var after: Int64 = 0
    while true {
      let reply: ExportReply
      do throws(WireError) {
        reply = try link.ask("export", ["after": .int(after)], as: ExportReply.self)
      } catch {
        throw Complaint(error)
      }
      do throws(ExchangeError) {
        for alarm in reply.alarms { try body(alarm) }
      } catch {
        throw .failed(error.description)
      }
      // An engine that names the same place again would never come to an end.
      guard let next = reply.next, next > after else { return }
      after = Int64(next)
    }
  }

  static func document(_ call: Call) throws(Complaint) -> String {
    var text = AlarmDocument.header(at: call.outside.now())
    var separator = ""
    try each(call) { alarm throws(ExchangeError) in
      text += separator + (try AlarmDocument.line(alarm))
      separator = AlarmDocument.separator
    }
    return text + AlarmDocument.footer
  }

  static func calendar(_ call: Call) throws(Complaint) -> String {
    var writer: CalendarWriter
    do throws(ExchangeError) {
      writer = try CalendarWriter(now: call.outside.now(), machine: Zone.current())
    } catch {
      throw .failed(error.description)
    }
    var text = CalendarWriter.header
    try each(call) { alarm throws(ExchangeError) in text += writer.text(alarm) }
    call.warn(writer.leftOut.map { "\($0.what) is left out: \($0.why)" })
    call.warn(writer.changed.map { "\($0.what): \($0.why)" })
    return text + CalendarWriter.footer
  }

  /// To a terminal goes only what cannot move its cursor.
  static func print(_ text: String, _ call: Call) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      call.printLine(
        call.outside.outputIsTerminal ? clean(line.last == "\r" ? line.dropLast() : line) : String(line))
    }
  }

  /// Whole or not at all where it is a file or a new one; into what else there is (a link, a pipe, a device) as it comes.
  static func write(_ text: String, to argument: Argument) throws(Complaint) {
    guard let path = FileName(bytes: argument.bytes) else {
      throw .wrongWords("the name of a file is empty; write its path")
    }
    do throws(SystemError) {
      var status = stat()
      let isOther = path.withCPath { lstat($0, &status) } == 0 && status.st_mode & S_IFMT != S_IFREG
      let bytes = Array(text.utf8)
      guard !isOther else { return try open(path, O_WRONLY | O_TRUNC).writeAll(bytes) }
      guard let beside = FileName(bytes: path.bytes + Array(".new".utf8)) else { return }
      let file: Descriptor
      do throws(SystemError) {
        file = try open(beside, O_WRONLY | O_CREAT | O_TRUNC)
      } catch {
        // Of the name that the person gave.
        throw SystemError("cannot write “\(path.shown)”", code: error.code)
      }
      try file.writeAll(bytes)
      try check("cannot write “\(path.shown)”") { fsync(file.number) }
      try check("cannot write “\(path.shown)”") {
        beside.withCPath { from in path.withCPath { rename(from, $0) } }
      }
    } catch {
      throw .failed("\(error); name a file in a folder that you can write to")
    }
  }

  static func open(_ path: FileName, _ flags: Int32) throws(SystemError) -> Descriptor {
    let number = path.withCPath { reveille_open($0, flags | O_CLOEXEC, 0o600) }
    guard number >= 0 else { throw SystemError("cannot open “\(path.shown)”", code: errno) }
    return Descriptor(owning: number)
  }
}
