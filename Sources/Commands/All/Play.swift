import Wire

extension Command {
  static let play = Command(
    "play", .player, forms: ["[SOURCE…]"], "plays files and folders, or goes on playing",
    about: [
      "SOURCE is an audio file, a folder of them, or a playlist (.m3u, .m3u8, .pls); together they replace the queue. Without one, music that was paused goes on."
    ],
    options: [.json],
    examples: [
      Example("alarm play ~/Music", "everything in a folder"),
      Example("alarm play a.flac b.mp3", "two files, one after the other"), Example("alarm play", "goes on"),
    ]
  ) { call throws(Complaint) in
    guard !call.words.isEmpty else { return try call.perform("play") }
    var sources: [JSON] = []
    for word in call.words { sources.append(.string(try call.path(word))) }
    return try call.perform("play", ["sources": .array(sources)])
  }

  static let pause = Command(
    "pause", .player, "pauses the music", options: [.json],
    examples: [Example("alarm pause", "“alarm play” goes on from there")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    return try call.perform("pause")
  }

  static let toggle = Command(
    "toggle", .player, "pauses the music, or goes on", options: [.json],
    examples: [Example("alarm toggle", "good on a key of the keyboard")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    return try call.perform("toggle")
  }
}
