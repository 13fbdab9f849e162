extension Command {
  /// Every command, in the order in which the help lists them. What is not here is not offered.
  static let all: [Command] = [
    .add, .edit, .list, .show, .remove, .on, .off, .skip, .undo, .next, .when, .timer, .export, .bringIn,
    .ring, .snooze, .dismiss, .stop, .inbox, .badge, .open, .log,
    .play, .pause, .toggle, .seek, .volume, .mute, .track, .queue, .sleep, .output,
    .status, .doctor, .awake, .engine, .install, .uninstall, .completions, .help,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
