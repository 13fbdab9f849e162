import Core
import Exchange
import Glibc
import Platform
import Schedule
import Wire

extension Command {
  /// (`import` is a word of the language.)
  static let bringIn = Command(
    "import", .alarms, forms: ["FILE|- [--dry-run]"], "takes the alarms of a file: an export, or a calendar",
    about: [
      "FILE is what “alarm export” wrote, or iCalendar (.ics); its content says which. Of a calendar each alarm of an event or to-do is taken, at the instant of its trigger and with the rule of its event.",
      "What cannot be taken is listed on standard error with its reason, and what is taken otherwise than it stands there. All that can be taken is taken at once, and “alarm undo” takes it back. An alarm keeps its number where that was never used here. The exit status is 0, and 1 where nothing could be taken.",
      "A shell line that an alarm runs is taken with --with-commands only: look at the file first.",
    ],
    options: [
      Option("dry-run", "shows what would be taken and adds nothing"),
      Option("with-commands", "takes the shell lines too that alarms run (--run)"), .json,
    ],
    examples: [
      Example("alarm import alarms.json", "what “alarm export” wrote on another machine"),
      Example("alarm import --dry-run calendar.ics", "what a calendar would bring"),
      Example("alarm import -", "from the standard input"),
    ]
  ) { call throws(Complaint) in
    guard let word = call.words.first, call.words.count == 1 else {
      throw .wrongWords(
        "say which file: “alarm import alarms.json”, or “alarm import -” for the standard input; put quotes around a name with spaces"
      )
    }
    let bytes = try Handover.read(word)
    var found: Import
    do throws(ExchangeError) {
      found = try readAlarms(
        bytes,
        ImportContext(
          now: call.outside.now(), zone: Zone.current(), takesCommands: call.has("with-commands")))
    } catch {
      throw .failed("nothing can be taken of “\(Handover.name(word))”: \(error)")
    }
    Handover.noteMissingSounds(&found)
    let isDry = call.has("dry-run")
    var reply = ImportReply()
    if !isDry, !found.alarms.isEmpty { reply = try Handover.send(found.alarms, call) }
    return Handover.tell(found, reply, isDry, call)
  }
}

extension Handover {
  static func name(_ word: Argument) -> String {
    word.bytes == [UInt8(ascii: "-")] ? "the standard input" : String(decoding: word.bytes, as: UTF8.self)
  }

  static func read(_ word: Argument) throws(Complaint) -> [UInt8] {
    do throws(SystemError) {
      let file: Descriptor
      if word.bytes == [UInt8(ascii: "-")] {
        file = try Descriptor.open("/dev/stdin", O_RDONLY)
      } else {
        guard let path = FileName(bytes: word.bytes) else {
          throw SystemError("cannot open a file without a name", code: ENOENT)
        }
        file = try open(path, O_RDONLY)
      }
      var bytes: [UInt8] = []
      func more() throws(SystemError) -> [UInt8]? {
        do throws(SystemError) { return try file.read(1 << 20) } catch {
          throw SystemError("cannot read “\(clean(name(word)))”", code: error.code)
        }
      }
      while let more = try more(), !more.isEmpty {
        bytes += more
        guard bytes.count <= Import.largestFile else {
          throw SystemError(
            "“\(name(word))” has more than \(Import.largestFile >> 20) MiB: divide it", code: EFBIG)
        }
      }
      return bytes
    } catch {
      throw .failed("\(error); give the name of a file that can be read")
    }
  }

  /// An alarm whose sound is not here rings with another: said now, and not in the night.
  static func noteMissingSounds(_ found: inout Import) {
    for alarm in found.alarms {
      guard let sound = alarm.draft.sound, let file = FileName(text: sound), file.isAbsolute,
        file.withCPath({ access($0, R_OK) }) != 0
      else { continue }
      found.changed.append(
        Import.Remark(
          describe(alarm),
          "its sound “\(file.shown)” is not here; it rings with that of the settings until it is"))
    }
  }

  /// Lines that hold so much at most: the socket takes a megabyte and 20 000 values.
  private static let (mostBytes, mostValues) = (400_000, 12_000)

  static func send(_ alarms: [AlarmCopy], _ call: Call) throws(Complaint) -> ImportReply {
    let link = try call.engine()
    var rest = alarms[...]
    var reply = ImportReply()
    do throws(WireError) {
      while !rest.isEmpty {
        var (count, bytes, values) = (0, 0, 0)
        while count < rest.count, count == 0 || bytes < mostBytes && values < mostValues {
          let draft = rest[rest.startIndex + count].draft
          // A control character takes six bytes in JSON.
          bytes += 400 + 6 * (draft.label.utf8.count + draft.body.utf8.count + draft.run.utf8.count)
          bytes += draft.info.reduce(0) { $0 + 30 + 6 * ($1.key.utf8.count + $1.value.utf8.count) }
          values += 30 + 2 * draft.info.count
          count += 1
        }
        let part = ImportParams(alarms: Array(rest.prefix(count)), more: count < rest.count)
        rest = rest.dropFirst(count)
        reply = try link.ask("import", try JSON(encoding: part), as: ImportReply.self)
      }
    } catch {
      throw Complaint(error)
    }
    return reply
  }

  /// What was taken, and what not.
  static func tell(_ found: Import, _ reply: ImportReply, _ isDry: Bool, _ call: Call) -> Int32 {
    let status: Int32 = found.alarms.isEmpty ? 1 : 0
    guard !call.has("json") else {
      call.printLine(JSONText.pretty(json(found, reply, isDry)))
      return status
    }
    warn(found.leftOut, call) { "\($0.what) is left out: \($0.why)" }
    warn(found.changed, call) { "\($0.what): \($0.why)" }
    call.warn(reply.warnings)
    for (index, alarm) in found.alarms.enumerated() {
      let id = index < reply.ids.count ? "\(reply.ids[index])" : "-"
      var parts = [id, clean(sentence(alarm))]
      if !alarm.isEnabled { parts.append("off") }
      if !alarm.draft.label.isEmpty { parts.append(clean(alarm.draft.label)) }
      call.printLine(parts.joined(separator: "  "))
    }
    let renumbered = zip(found.alarms, reply.ids).count { alarm, id in alarm.id.map { $0 != id } ?? false }
    var parts = [
      "\(found.alarms.count) \(found.alarms.count == 1 ? "alarm" : "alarms") \(isDry ? "would be taken" : "taken")"
    ]
    if renumbered > 0 { parts.append("\(renumbered) under a new number") }
    if !found.leftOut.isEmpty { parts.append("\(found.leftOut.count) left out") }
    if found.silent > 0 { parts.append("\(found.silent) events have no alarm") }
    if !isDry, !found.alarms.isEmpty { parts.append("“alarm undo” takes them back") }
    call.printLine(parts.joined(separator: "; "))
    return status
  }

  /// Lines of one kind; a calendar of twenty years has thousands of events that have passed.
  private static let mostRemarks = 100

  private static func warn(_ remarks: [Import.Remark], _ call: Call, _ sentence: (Import.Remark) -> String) {
    call.warn(remarks.prefix(mostRemarks).map(sentence))
    if remarks.count > mostRemarks {
      call.warn(["and so on: \(remarks.count - mostRemarks) more like these; --dry-run --json lists them all"]
      )
    }
  }

  private static func sentence(_ alarm: AlarmCopy) -> String {
    alarm.draft.rule.sentence(in: alarm.draft.zone ?? Zone.current())
      + (alarm.draft.zone.map { " \($0.identifier)" } ?? "")
  }

  private static func describe(_ alarm: AlarmCopy) -> String {
    alarm.draft.label.isEmpty ? "“\(alarm.draft.rule.text)”" : "“\(alarm.draft.label)”"
  }

  private static func json(_ found: Import, _ reply: ImportReply, _ isDry: Bool) -> JSON {
    func list(_ remarks: [Import.Remark]) -> JSON {
      .array(remarks.map { ["what": .string($0.what), "why": .string($0.why)] })
    }
    let taken = found.alarms.enumerated().map { index, alarm -> JSON in
      var members: [String: JSON] = [
        "when": .string(alarm.draft.rule.text), "label": .string(alarm.draft.label),
        "enabled": .bool(alarm.isEnabled),
        "zone": alarm.draft.zone.map { .string($0.identifier) } ?? .null,
      ]
      if index < reply.ids.count { members["id"] = .int(Int64(reply.ids[index])) }
      return .object(members)
    }
    return [
      "format": .string(found.format.rawValue), "dryRun": .bool(isDry), "taken": .array(taken),
      "leftOut": list(found.leftOut), "changed": list(found.changed),
      "withoutAlarm": .int(Int64(found.silent)),
      "warnings": .array(reply.warnings.map { .string($0) }),
    ]
  }
}
