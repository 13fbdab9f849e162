import Wire

extension Command {
  static let edit = Command(
    "edit", .alarms, forms: ["ID [WHEN] [options]"], "changes an alarm",
    about: [
      "WHEN may be a part: a clock time alone keeps the days or the date, days or a date alone keep the clock time. What is not named stays as it is.",
      "An empty value removes: “--until=” takes the last day away, “--info room=” that one pair.",
    ],
    options: AlarmOptions.all + [.json],
    examples: [
      Example("alarm edit 3 06:45", "the same days, a quarter of an hour earlier"),
      Example("alarm edit 3 sat,sun", "the same time on other days"),
      Example("alarm edit 3 --volume 60 --until=", "quieter, and without a last day"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard let first = words.first else {
      throw .wrongWords(
        "say which alarm and what to change: “alarm edit 3 06:45”; “alarm list” shows their numbers")
    }
    try call.requireQuoted(Array(words.dropFirst()))
    var params = try AlarmOptions.params(call, editing: true)
    params["id"] = .int(Int64(try call.identifier(first)))
    if words.count > 1 { params["when"] = .string(words.dropFirst().joined(separator: " ")) }
    guard params.count > 1 else {
      throw .wrongWords(
        "say what to change: a new time as in “alarm edit \(first) 06:45”, or an option as in “--label Up”")
    }
    return try call.change("edit", params)
  }
}
