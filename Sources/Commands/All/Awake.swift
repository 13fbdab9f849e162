import Schedule
import Wire

extension Command {
  static let awake = Command(
    "awake", .system, forms: ["[SPAN] [--reason TEXT]", "list", "off [ID]"], "keeps the audio device awake",
    about: [
      "Takes a lease: for an hour, or SPAN, a silent clip keeps the audio device from falling asleep, so that no sound loses its beginning. It does not keep the machine from sleeping.",
      "“awake list” shows the leases, “awake off” ends one, or all but the engine's own.",
    ],
    options: [Option("reason", "TEXT", "what it is for, as “awake list” and “status” show it"), .json],
    examples: [
      Example("alarm awake", "an hour"),
      Example("alarm awake 3h --reason \"film night\"", "longer, and says why"),
      Example("alarm awake list", "who keeps it awake, and how long"), Example("alarm awake off", "ends it"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    let reason = try call.option("reason")
    if reason != nil, let first = words.first, ["list", "off"].contains(first) {
      throw .wrongWords("“--reason” belongs to a new lease, not to “alarm awake \(first)”; leave it out")
    }
    switch words.first {
    case "list":
      guard words.count == 1 else {
        throw .wrongWords("“alarm awake list” takes no more words; leave them out")
      }
      let leases = try call.ask("awake.list", as: [Status.Lease].self)
      guard !call.has("json") else { return 0 }
      if leases.isEmpty {
        call.warn(["nobody has asked to keep the audio device awake; “alarm awake 1h” does"])
      }
      let now = call.outside.now()
      call.printLines(leases.map { StatusLines.lease($0, now) })
      return 0
    case "off":
      guard words.count > 1 else { return try call.perform("awake.off") }
      guard words.count == 2, let id = Call.number(words[1]), id > 0 else {
        throw .wrongWords(
          "“\(words.dropFirst().joined(separator: " "))” is not a lease's number; “alarm awake list” shows them, as in “alarm awake off 2”"
        )
      }
      return try call.perform("awake.off", ["id": .int(Int64(id))])
    default:
      var params: [String: JSON] = [:]
      if !words.isEmpty { params["span"] = .string(try Spans.check(words, "alarm awake 3h")) }
      if let reason { params["reason"] = .string(reason) }
      return try call.perform("awake", params)
    }
  }
}
