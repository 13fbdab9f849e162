import Wire

extension Command {
  static let skip = Command(
    "skip", .alarms, forms: ["ID [--until DATE]", "--all --until DATE", "ID --off"],
    "leaves out the next time of an alarm, or a holiday",
    about: [
      "With --until it leaves out every time up to and with that date. What is left out belongs to dates: it stays when the clock time, the label or the sound is changed, and is gone when the alarm is switched off or gets days without those dates. What rings now is never left out. An alarm that comes only once is switched off instead.",
      "--all is for the alarms there are now; timers run on, and one that is added for the holiday rings.",
    ],
    options: [
      Option("until", "DATE", "leaves out every time up to and with this date"),
      Option("all", "all alarms, not only one"),
      Option("off", "takes it back"), .json,
    ],
    examples: [
      Example("alarm skip 3", "its next time"), Example("alarm skip 3 --off", "it rings after all"),
      Example("alarm skip --all --until 2027-01-06", "a holiday"),
    ]
  ) { call throws(Complaint) in
    var params: [String: JSON] = [:]
    if call.has("all") {
      guard call.words.isEmpty else {
        throw .wrongWords(
          "give a number or --all, not both: “alarm skip 3”, or “alarm skip --all --until DATE”")
      }
      params["all"] = true
    } else {
      try call.requireQuotedUntil()
      params["id"] = .int(Int64(try call.onlyIdentifier()))
    }
    let until = try call.option("until")
    if call.has("off") {
      guard until == nil else {
        throw .wrongWords("--off takes everything back, so --until has no place beside it; leave one out")
      }
      params["off"] = true
    } else if let until {
      params["until"] = .string(until)
    } else if call.has("all") {
      throw .wrongWords("say up to when: “alarm skip --all --until 2027-01-06”")
    }
    return try call.change("skip", params)
  }
}
