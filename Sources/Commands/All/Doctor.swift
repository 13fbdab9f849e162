import Core
import Engine
import Platform
import Wire

extension Command {
  static let doctor = Command(
    "doctor", .system, "says whether the next alarm will be heard, and what to mend",
    about: [
      "It tries the sounds of the alarms that are due within 24 hours and the device (with silence), asks the sound server, the desktop and the system, and prints a line for each thing: ok, warn where it will ring but not as it should, fail where something keeps it from being heard, with what to do. What cannot be known is said to be so.",
      "The exit status is 1 where anything fails. The engine looks by itself at doctor.at and tells the desktop of what fails.",
    ],
    options: [.json], examples: [Example("alarm doctor", "before the night")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    let (reply, json) = try examine(call)
    if call.has("json") {
      call.printLine(JSONText.pretty(json))
    } else {
      let columns = call.outside.tableColumns ?? Int.max
      call.printLines(lines(reply, style: call.style, columns: columns))
    }
    return reply.result == Finding.Result.fail.rawValue ? 1 : 0
  }

  private static func examine(_ call: Call) throws(Complaint) -> (DoctorReply, JSON) {
    let link: any EngineLink
    do throws(Complaint) {
      link = try call.engine()
    } catch {
      let reply = DoctorReply(try call.outside.examineAlone(error.sentence))
      return (reply, reply.json)
    }
    do throws(WireError) {
      let answer = try link.ask("doctor", [:], as: Answer<DoctorReply>.self)
      return (answer.reply, answer.json)
    } catch {
      throw Complaint(error)
    }
  }

  /// `ok    sound     “dawn” of alarm 1, due at 07:00, can be played`, and below it what to do.
  private static func lines(_ reply: DoctorReply, style: Style, columns: Int) -> [String] {
    let width = reply.rows.map { Columns.width($0.name) }.max() ?? 0
    let margin = 4 + 2 + width + 2
    return reply.rows.flatMap { row -> [String] in
      let word = Columns.padded(clean(row.result), to: 4)
      let shown =
        switch Finding.Result(rawValue: row.result) {
        case .fail: style.red(word)
        case .warn: style.yellow(word)
        case .ok, nil: word
        }
      // On a terminal too narrow for two columns of text it wraps by itself.
      let limit = columns > margin + 30 ? columns : Int.max
      let text = Columns.wrap(clean(row.finding), to: limit, indent: margin)
      let first = "\(shown)  \(Columns.padded(clean(row.name), to: width))  "
      return [first + (text.first?.dropFirst(margin) ?? "")] + text.dropFirst()
        + Columns.wrap(clean(row.advice ?? ""), to: limit, indent: margin)
    }
  }
}

extension DoctorReply {
  fileprivate var json: JSON {
    [
      "result": .string(result),
      "rows": .array(
        rows.map {
          [
            "result": .string($0.result), "name": .string($0.name), "finding": .string($0.finding),
            "advice": $0.advice.map { .string($0) } ?? .null,
          ]
        }),
    ]
  }
}
