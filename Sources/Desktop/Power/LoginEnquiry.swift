import Platform

/// What logind says of whoever runs this program.
public struct PersonFacts: Equatable, Sendable {
  /// Logged in at a seat, and it is the session in front.
  public var isAtSeat = false
  /// The person's services go on after the last logout; nil where logind does not say.
  public var lingers: Bool?

  public init() {}
}

extension Enquiry {
  /// nil where there is no logind, or it does not know the person.
  public func person(then done: @escaping (PersonFacts?) -> Void) {
    properties(Logind.name, Logind.manager.path + "/user/self", "org.freedesktop.login1.User") { values in
      guard let values else { return done(nil) }
      var facts = PersonFacts()
      facts.lingers = values[key: "Linger"]?.truth
      let sessions = (values[key: "Sessions"]?.elements ?? []).prefix(16).compactMap { session in
        if case .structure(let fields) = session, fields.count > 1 { fields[1].text } else { nil }
      }
      seated(sessions[...]) {
        facts.isAtSeat = $0
        done(facts)
      }
    }
  }

  /// Whether one of the sessions is in front at a seat. One without a seat (ssh) is always “active”.
  private func seated(_ sessions: ArraySlice<String>, then done: @escaping (Bool) -> Void) {
    guard let first = sessions.first else { return done(false) }
    properties(Logind.name, first, "org.freedesktop.login1.Session") { values in
      if values?[key: "Active"]?.truth == true, case .structure(let seat)? = values?[key: "Seat"]?.unwrapped,
        seat.first?.text?.isEmpty == false
      {
        return done(true)
      }
      seated(sessions.dropFirst(), then: done)
    }
  }

  /// Takes a lock and gives it back at once, to see whether one would be given.
  public func mayInhibit(_ what: Logind.What, then done: @escaping (_ refusal: String?) -> Void) {
    bus.call(
      Logind.manager, "Inhibit",
      [
        .string(what.rawValue), .string("Reveille"), .string("to see whether it may"),
        .string(Logind.Mode.block.rawValue),
      ], patience: Enquiry.patience
    ) { result in
      switch result {
      case .success: done(nil)
      case .failure(let error): done(error.description)
      }
    }
  }
}
