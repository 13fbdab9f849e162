import Wire

extension Command {
  static let volume = Command(
    "volume", .player, forms: ["[N|+N|-N]"], "shows or sets the volume of the music",
    about: ["From 0 to 100. Alarms have a volume of their own, which this does not touch."],
    options: [.json],
    examples: [
      Example("alarm volume", "how loud it is"), Example("alarm volume 40", "sets it"),
      Example("alarm volume -5", "a little quieter"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard let typed = words.first else { return try call.perform("volume") }
    var digits = typed[...]
    let sign = digits.first.flatMap { "+-".contains($0) ? digits.removeFirst() : nil }
    if digits.last == "%" { digits.removeLast() }
    guard words.count == 1, let number = Call.number(digits), number <= 100 else {
      throw .wrongWords(
        "“\(words.joined(separator: " "))” is no volume; give one from 0 to 100, or a change as in “alarm volume +5”"
      )
    }
    guard let sign else { return try call.perform("volume", ["set": .int(Int64(number))]) }
    return try call.perform("volume", ["by": .int(Int64(sign == "-" ? -number : number))])
  }

  static let mute = Command(
    "mute", .player, "mutes the music, or lets it be heard again",
    about: ["Alarms are never muted by it."],
    options: [.json], examples: [Example("alarm mute", "and the same again to unmute")]
  ) { call throws(Complaint) in
    try call.expectNoWords()
    return try call.perform("mute")
  }
}
