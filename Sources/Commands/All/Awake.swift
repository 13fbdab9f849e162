import Schedule
import Wire

extension Command {
  static let awake = Command(
    "awake", .system,
    forms: [
      "[SPAN] [options]", "[options] -- COMMAND…", "list", "renew ID [SPAN]", "off [ID]",
    ],
    "keeps the audio device and the machine awake",
    about: [
      "Takes a lease: for an hour, or SPAN, a silent clip keeps the audio device from falling asleep, so that no sound loses its beginning, and locks keep the machine from idling and sleeping. Leases outlive a restart of the engine.",
      "What is locked is a setting: “awake.idle”, “awake.sleep”, “awake.lid” (a closed lid ignores the others) and “awake.onBattery”. A lock that the system refuses is shown by “alarm status” with the reason, and the lease goes on.",
      "Behind “--” a command is run, and the lease lasts as long as it does. The exit status is the command's; 125 where the lease could not be had, 126 and 127 where the command could not be run or found.",
      "A lease that ends with a process goes on by itself, an hour each, as often as “awake.renewals” says (5), unless SPAN says how long it is at most.",
      "“awake list” shows the leases, “awake renew” lets one last from now on as long as it was taken for, or SPAN, and “awake off” ends one, or all but the engine's own.",
    ],
    options: [
      Option("audio", "only the audio device, unless --system is given too"),
      Option("system", "only the machine, unless --audio is given too"),
      Option("reason", "TEXT", "what it is for, as “awake list” and “status” show it"),
      Option("until", "TIME", "ends at this time (23:00, tomorrow 6am) instead of after SPAN"),
      Option("while", "PID", "ends with this process at the latest"),
      Option("then", "COMMAND", "a line for the shell, run when the lease ends by itself"), .json,
    ],
    examples: [
      Example("alarm awake", "an hour"),
      Example("alarm awake 3h --reason \"film night\"", "longer, and says why"),
      Example("alarm awake 3h --audio", "the machine may sleep"),
      Example("alarm awake --until 23:00", "until then, by the clock"),
      Example("alarm awake -- sleep 1", "as long as a command runs"),
      Example("alarm awake --while 1", "as long as a process runs"),
      Example("alarm awake list", "who keeps it awake, and how long"),
      Example("alarm awake renew 2", "as long again, from now on"), Example("alarm awake off", "ends it"),
    ]
  ) { call throws(Complaint) in
    if let before = call.wordsBeforeEnd {
      guard before < call.words.count else {
        throw .wrongWords("no command stands behind “--”; name one, as in “alarm awake -- sleep 1”")
      }
      return try runAwake(call, before)
    }
    let words = try call.texts()
    guard let first = words.first, ["list", "renew", "off"].contains(first) else {
      return try call.perform("awake", try lease(call, words))
    }
    for option in ["audio", "system", "reason", "until", "while", "then"] where call.has(option) {
      throw .wrongWords("“--\(option)” belongs to a new lease, not to “alarm awake \(first)”; leave it out")
    }
    switch first {
    case "list":
      guard words.count == 1 else {
        throw .wrongWords("“alarm awake list” takes no more words; leave them out")
      }
      return try listLeases(call)
    case "renew":
      guard words.count > 1 else {
        throw .wrongWords("say which lease: “alarm awake renew 2”; “alarm awake list” shows them")
      }
      var params: [String: JSON] = ["id": .int(try leaseNumber(words[1], "renew"))]
      if words.count > 2 {
        params["span"] = .string(try Spans.check(Array(words[2...]), "alarm awake renew \(words[1]) 1h"))
      }
      return try call.perform("awake.renew", params)
    default:
      guard words.count > 1 else { return try call.perform("awake.off") }
      let id = try leaseNumber(words.dropFirst().joined(separator: " "), "off")
      return try call.perform("awake.off", ["id": .int(id)])
    }
  }

  private static func listLeases(_ call: Call) throws(Complaint) -> Int32 {
    let leases = try call.ask("awake.list", as: [Status.Lease].self)
    guard !call.has("json") else { return 0 }
    if leases.isEmpty {
      call.warn(["nobody has asked to keep anything awake; “alarm awake 1h” does"])
    }
    let now = call.outside.now()
    call.printLines(leases.map { StatusLines.lease($0, now) })
    return 0
  }

  private static func leaseNumber(_ word: String, _ command: String) throws(Complaint) -> Int64 {
    guard let id = Call.number(word), id > 0 else {
      throw .wrongWords(
        "“\(word)” is not a lease's number; “alarm awake list” shows them, as in “alarm awake \(command) 2”")
    }
    return Int64(id)
  }

  /// What a new lease is asked for with.
  private static func lease(_ call: Call, _ words: [String]) throws(Complaint) -> [String: JSON] {
    var params: [String: JSON] = [:]
    if !words.isEmpty { params["span"] = .string(try Spans.check(words, "alarm awake 3h")) }
    for name in ["audio", "system"] where call.has(name) { params[name] = true }
    for name in ["reason", "until", "then"] {
      if let text = try call.option(name) { params[name] = .string(text) }
    }
    if let text = try call.option("while") {
      guard let id = Call.number(text), id > 0 else {
        throw .wrongWords("“--while \(text)” is not a process's number; “ps” shows them, as in --while 1234")
      }
      params["while"] = .int(Int64(id))
    }
    if params["span"] != nil, params["until"] != nil {
      throw .wrongWords("a span and --until contradict each other; give one of the two")
    }
    return params
  }

  private static func runAwake(_ call: Call, _ before: Int) throws(Complaint) -> Int32 {
    guard before == 0, !call.has("while"), !call.has("until") else {
      throw .wrongWords(
        "with a command the lease lasts as long as it runs; leave out the span, --until and --while")
    }
    guard !call.has("json") else {
      throw .wrongWords("with a command only the command prints; leave out --json")
    }
    var params = try lease(call, [])
    params["bind"] = true
    if params["reason"] == nil {
      params["reason"] = .string(
        String(
          call.words.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: " ").prefix(200)))
    }
    try call.outside.flush()
    return call.outside.runAwake(call.words, params)
  }
}
