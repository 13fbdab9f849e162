extension Command {
  static let install = Command(
    "install", .system, forms: ["[--linger|--no-linger]"],
    "lets the engine start by itself, and puts the program's files in their places",
    about: [
      "For you alone, below your own folders: units for your systemd, which starts the engine when you log in and again when it dies, an entry and an icon for desktops, the manual, and completions for bash, zsh and fish. What is there for everybody already is left out, what is not ours is never written over, and saying it again puts right what is missing or old.",
      "An engine that runs is taken over by systemd. With lingering (loginctl(1)) the engine starts with the machine and goes on after logout; on a terminal it is asked for, elsewhere --linger switches it on.",
      "Without systemd an autostart entry starts the engine with a desktop's session. “alarm uninstall” takes everything back.",
    ],
    options: [
      Option("linger", "the engine goes on after logout, without asking"),
      Option("no-linger", "leaves lingering as it is, without asking"),
    ],
    examples: [
      Example("alarm install", "and asks whether it is to go on after logout"),
      Example("alarm install --linger", "the same from a script, and it goes on"),
    ]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    guard !call.has("linger") || !call.has("no-linger") else {
      throw .wrongWords("“--linger” and “--no-linger” exclude each other; leave one out")
    }
    var installer = try Installer(call)
    return try installer.install(lingers: call.has("linger") ? true : call.has("no-linger") ? false : nil)
  }
}
