import Wire

extension Command {
  static let ring = Command(
    "ring", .ringing, forms: ["ID"], "rings an alarm now, just as it will ring, to hear it",
    about: [
      "“alarm dismiss” ends it. When it rings next does not change, and the inbox keeps nothing of it."
    ],
    options: [.json], examples: [Example("alarm ring 3", "a rehearsal")]
  ) { call throws(Complaint) in
    try call.perform("ring", ["id": .int(Int64(call.onlyIdentifier()))])
  }
}
