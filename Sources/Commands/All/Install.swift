extension Command {
  static let install = Command(
    "install", .system, forms: ["[--linger|--no-linger] [--wake-helper|--no-wake-helper]"],
    "lets the engine start by itself, and puts the program's files in their places",
    about: [
      "For you alone, below your own folders: units for your systemd, which starts the engine when you log in and again when it dies, an entry and an icon for desktops, the manual, and completions for bash, zsh and fish. What is there for everybody already is left out, what is not ours is never written over, and saying it again puts right what is missing or old.",
      "An engine that runs is taken over by systemd. With lingering (loginctl(1)) the engine starts with the machine and goes on after logout; on a terminal it is asked for, elsewhere --linger switches it on.",
      "Where neither the engine nor your systemd (before version 254) may wake the sleeping machine for an alarm, a small helper may, “alarm-wake”, to which root gives that one right (cap_wake_alarm, setcap(8)): on a terminal it is asked for and sudo asks for the password, elsewhere --wake-helper installs it, and where sudo does not do it the line to say is printed.",
      "Without systemd an autostart entry starts the engine with a desktop's session. “alarm uninstall” takes everything back.",
    ],
    options: [
      Option("linger", "the engine goes on after logout, without asking"),
      Option("no-linger", "leaves lingering as it is, without asking"),
      Option("wake-helper", "a helper may wake the sleeping machine, without asking"),
      Option("no-wake-helper", "leaves the helper as it is, without asking"),
    ],
    examples: [
      Example("alarm install", "and asks whether it is to go on after logout"),
      Example("alarm install --linger", "the same from a script, and it goes on"),
    ]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    let lingers = try call.either("linger", "no-linger")
    let wakes = try call.either("wake-helper", "no-wake-helper")
    var installer = try Installer(call)
    return try installer.install(lingers: lingers, wakes: wakes)
  }
}

extension Call {
  /// True where the first option was given, false where the second was, nil without either.
  fileprivate func either(_ yes: String, _ no: String) throws(Complaint) -> Bool? {
    guard has(yes) || has(no) else { return nil }
    guard !has(yes) || !has(no) else {
      throw .wrongWords("“--\(yes)” and “--\(no)” exclude each other; leave one out")
    }
    return has(yes)
  }
}
