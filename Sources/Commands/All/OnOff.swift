import Wire

extension Command {
  static let on = Command(
    "on", .alarms, forms: ["ID…"], "switches alarms on",
    about: [
      "An alarm that was to ring once and has rung is set for the next such time if its rule is a clock time alone; with a date it needs a new one: “alarm edit ID WHEN”."
    ],
    options: [.json], examples: [Example("alarm on 3", "it rings again"), Example("alarm on 3 5", "both")]
  ) { call throws(Complaint) in
    try call.change("on", ["ids": call.identifierList()])
  }

  static let off = Command(
    "off", .alarms, forms: ["ID…"], "switches alarms off, and keeps them in the list",
    options: [.json], examples: [Example("alarm off 3", "until “alarm on 3”")]
  ) { call throws(Complaint) in
    try call.change("off", ["ids": call.identifierList()])
  }
}

extension Call {
  func identifierList() throws(Complaint) -> JSON { .array(try identifiers().map { .int(Int64($0)) }) }
}
