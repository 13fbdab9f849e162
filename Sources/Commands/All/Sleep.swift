import Schedule
import Wire

extension Command {
  static let sleep = Command(
    "sleep", .player, forms: ["SPAN", "off"], "fades the music out and stops it after a while",
    about: [
      "The last half minute is a fade. Alarms are not touched by it. “alarm status” shows when; whoever stops the music ends the timer too."
    ],
    options: [.json],
    examples: [
      Example("alarm sleep 30m", "half an hour more"), Example("alarm sleep off", "the music plays on"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard !words.isEmpty else {
      throw .wrongWords("say how long, as in “alarm sleep 30m”; “alarm sleep off” takes it back")
    }
    if words == ["off"] { return try call.perform("sleep") }
    return try call.perform("sleep", ["span": .string(try Spans.check(words, "alarm sleep 30m"))])
  }
}
