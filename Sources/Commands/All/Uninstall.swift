extension Command {
  static let uninstall = Command(
    "uninstall", .system, "takes back what “alarm install” did",
    about: [
      "Ends the engine that systemd runs and removes exactly what was written. A file that was changed since stays, and is named. Alarms and settings stay, and the next command that needs an engine starts one as before."
    ],
    examples: [Example("alarm uninstall", "units, desktop entry, manual and completions go")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    var uninstaller = try Uninstaller(call)
    return try uninstaller.uninstall()
  }
}
