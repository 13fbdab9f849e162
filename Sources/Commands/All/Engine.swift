import Engine
import Platform
import Schedule
import Wire

extension Command {
  static let engine = Command(
    "engine", .system, forms: ["status", "start", "stop", "run"], "looks after the background process",
    about: [
      "The engine rings the alarms and plays the music, with or without a terminal. Commands that need it start it, so this is seldom needed.",
      "After “alarm install” it is systemd that runs it: “start” and “stop” are then those of its unit, and after “stop” the next command that needs the engine starts it again.",
      "“run” stays in front and logs to standard error. “stop” names the alarm that will then not ring and, on a terminal or the screen, asks first.",
    ],
    options: [.json],
    examples: [
      Example("alarm engine status", "whether it runs"),
      Example("alarm engine stop", "no alarm rings from then on"),
      Example("alarm engine run", "in front, to see what it says"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    switch words {
    case ["run"]:
      return call.outside.runEngine(
        EngineOptions(
          paths: call.outside.paths, version: CommandLineProgram.version, judge: ScreenSettings.problems))
    case ["start"]: return try startEngine(call)
    case ["stop"]: return try stopEngine(call)
    case ["status"]: return try statusEngine(call)
    default:
      let typed = words.isEmpty ? "" : "“\(words.joined(separator: " "))” is none of them: "
      throw .wrongWords("\(typed)write “alarm engine status”, “start”, “stop” or “run”")
    }
  }

  private static func startEngine(_ call: Call) throws(Complaint) -> Int32 {
    do throws(WireError) {
      let ran = try call.outside.connect(false) != nil
      guard let link = try call.outside.connect(true) else { return 1 }
      let answer = try link.ask("status", [:], as: Status.self)
      tell(answer.engine, ran ? "was running already" : "runs", call)
      return 0
    } catch {
      throw Complaint(error)
    }
  }

  private static func statusEngine(_ call: Call) throws(Complaint) -> Int32 {
    do throws(WireError) {
      guard let link = try call.outside.connect(false) else {
        call.printLine(
          call.has("json")
            ? JSONText.pretty(["running": false]) : "no engine runs; no alarm rings until one does")
        return 1
      }
      tell(try link.ask("status", [:], as: Status.self).engine, "runs", call)
      return 0
    } catch {
      throw Complaint(error)
    }
  }

  private static func tell(_ engine: Status.Engine, _ state: String, _ call: Call) {
    guard !call.has("json") else {
      call.printLine(
        JSONText.pretty([
          "running": true, "pid": .int(Int64(engine.pid)), "version": .string(engine.version),
          "startedAt": .string(engine.startedAt), "socket": .string(engine.socket),
          "configErrors": .array(engine.configErrors.map { .string($0) }),
          "configWarnings": .array((engine.configWarnings ?? []).map { .string($0) }),
          "storeErrors": .array(engine.storeErrors.map { .string($0) }),
        ]))
      return
    }
    let since = Moment.shown(engine.startedAt, at: call.outside.now())
    call.printLine(
      clean(
        "the engine \(state): version \(engine.version), process \(engine.pid) since \(since), socket \(engine.socket)"
      ))
    call.warn(engine.configErrors + (engine.configWarnings ?? []) + engine.storeErrors)
  }

  /// Stopping is done where none runs. With an alarm to come it says which, and on a terminal it asks.
  private static func stopEngine(_ call: Call) throws(Complaint) -> Int32 {
    do throws(WireError) {
      guard let link = try call.outside.connect(false) else {
        // One that died a moment ago is about to be started again.
        if EngineUnit.isInstalled(call.outside.paths) {
          _ = try? call.outside.runTool(["systemctl", "--user", "stop", EngineUnit.service])
        }
        call.printLine(
          call.has("json") ? JSONText.pretty(["lines": [], "warnings": []]) : "no engine was running")
        return 0
      }
      if let ask = call.outside.askOnScreen {
        ask(.stopEngine)
        return 0
      }
      let status = try link.ask("status", [:], as: Status.self)
      if let pending = pending(status, at: call.outside.now()) {
        call.outside.complain("\(pending) will not ring while no engine runs")
        if call.outside.inputIsTerminal, call.outside.errorIsTerminal {
          call.outside.ask("Stop the engine all the same? [y/N] ")
          let answer = call.outside.readLine().map { $0.lowercased() } ?? ""
          guard ["y", "yes"].contains(answer) else {
            throw WireError(code: ErrorCode.refused, "the engine goes on")
          }
        }
      }
      let reply = try link.ask("engine.stop", [:], as: Answer<DoneReply>.self)
      call.warn(reply.reply.warnings)
      let log =
        EngineUnit.isInstalled(call.outside.paths)
        ? "“journalctl --user -u \(EngineUnit.service)”" : "“\(call.outside.paths.log)”"
      // The engine answers first and ends then; whoever starts a new one right behind this command must find it gone.
      guard call.outside.awaitEngineEnd() else {
        throw WireError(
          code: ErrorCode.refused,
          "the engine was told to stop and has not ended within 5 seconds; look at its log, \(log)"
        )
      }
      let lines = reply.reply.lines.isEmpty ? ["the engine has stopped"] : reply.reply.lines
      call.printLines(call.has("json") ? [JSONText.pretty(reply.json)] : lines.map { clean($0) })
      return 0
    } catch {
      throw Complaint(error)
    }
  }

  /// What rings, is snoozed or comes next, nil where nothing does.
  static func pending(_ status: Status, at now: Instant) -> String? {
    if let ring = status.ringing.first {
      return "alarm \(StatusLines.named(ring.id, ring.label)), which rings now,"
    }
    if let snooze = status.snoozed.first {
      return
        "alarm \(StatusLines.named(snooze.id, snooze.label)), snoozed until \(Moment.shown(snooze.until, at: now)),"
    }
    return status.alarms.next.map {
      "alarm \(StatusLines.named($0.id, $0.label)), due \(Moment.shown($0.at, at: now)),"
    }
  }
}
