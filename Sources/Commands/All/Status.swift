import Schedule
import Wire

extension Command {
  static let status = Command(
    "status", .system, "shows everything at a glance",
    about: [
      "What rings or is snoozed, what rings next, the music, the sound device and whether anybody can hear it, what keeps it awake, and what is wrong with the settings.",
      "With --json --follow each change is one line.",
    ],
    options: [.json, Option("follow", "prints it again at every change, until interrupted")],
    examples: [
      Example("alarm status", "as it is now"), Example("alarm status --json --follow", "for a status bar"),
    ]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    guard call.has("follow") else {
      let status = try call.ask("status", as: Status.self)
      if !call.has("json") {
        call.printLines(StatusLines.lines(status, at: call.outside.now(), style: call.style))
      }
      return 0
    }
    return try follow(call)
  }

  private static func follow(_ call: Call) throws(Complaint) -> Int32 {
    let link = try call.engine()
    call.outside.endWithReader()
    var last: [String] = []
    do throws(WireError) {
      var status = try link.ask("subscribe", [:], as: Answer<Status>.self)
      while true {
        let now = call.outside.now()
        let lines =
          call.has("json")
          ? [JSONText.line(status.json)] : StatusLines.lines(status.reply, at: now, style: call.style)
        if lines != last {
          if !last.isEmpty, !call.has("json") { call.printLine("") }
          call.printLines(lines)
          do throws(Complaint) { try call.outside.flush() } catch {
            throw WireError(code: ErrorCode.refused, error.sentence)
          }
          if call.outside.readerHasGone { return 0 }
          last = lines
        }
        var notification = try link.awaitNotification()
        while let other = notification, other.method != "status" {
          notification = try link.awaitNotification()
        }
        guard let change = notification else { return 0 }
        status = try change.params.decode()
      }
    } catch {
      throw Complaint(error)
    }
  }
}

extension Call {
  func printLines(_ lines: [String]) { for line in lines { printLine(line) } }
}
