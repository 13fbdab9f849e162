import CLinux
import Glibc
import Platform
import Wire

/// The options that `add` and `edit` share.
enum AlarmOptions {
  static let all = [
    Option("zone", "ZONE", "keeps the clock of this zone (Europe/Berlin) wherever the machine is"),
    Option("label", "TEXT", "what it is called in lists and when it rings"),
    Option(
      "sound", "FILE|FOLDER|NAME",
      "what it plays, again and again: a file, the first that plays of a folder or playlist, or a name of “alarm help sounds”"
    ),
    Option("volume", "0-100", "how loud it is; 0 only notifies"),
    Option("fade", "SPAN", "rises to that volume in this time"),
    Option("snooze", "SPAN", "how long a snooze is"),
    Option("snooze-limit", "N", "how often it can be snoozed"),
    Option("silence-after", "SPAN", "when nobody comes, it snoozes by itself after this time"),
    Option("body", "TEXT", "a longer text that is shown when it rings"),
    Option("action", "TEXT", "a button of your own on its notification, which opens the screen on it"),
    Option("info", "KEY=VALUE", repeats: true, "a pair of your own, handed back when it rings"),
    Option("badge", "0-9999", "the number the badge is set to when it rings, instead of one more"),
    Option(
      "run", "COMMAND",
      "a line for the shell, run once each time it is due and rings, in your home folder; it finds ALARM_LABEL, ALARM_BODY, ALARM_ID, ALARM_OCCURRENCE and ALARM_INFO_KEY for each pair of --info (in capitals, “_” for what is neither letter nor digit) in its environment, writes to the engine's log, and is ended a minute after the ring"
    ),
    Option("until", "DATE", "the last day of a repeating alarm"),
    Option("count", "N", "how often a repeating alarm is due"),
  ]

  /// What goes to the engine. An empty value removes where an alarm is edited, and is refused where one is added.
  static func params(_ call: Call, editing: Bool) throws(Complaint) -> [String: JSON] {
    var params: [String: JSON] = [:]
    for option in all {
      guard let value = call.options[option.name]?.last else { continue }
      if value.bytes.isEmpty, !["label", "body"].contains(option.name) {
        guard editing, option.name != "info" else {
          throw .wrongWords("“--\(option.name)” is empty; write \(option.shown), or leave it out")
        }
        params[option.name] = ""
        continue
      }
      switch option.name {
      case "sound": params["sound"] = .string(try sound(value, call))
      case "volume": params["volume"] = try number(call.text(value), option, 0...100)
      case "snooze-limit": params["snooze-limit"] = try number(call.text(value), option, 0...1000)
      case "count": params["count"] = try number(call.text(value), option, 1...1_000_000)
      case "badge": params["badge"] = try number(call.text(value), option, 0...9999)
      case "info": params["info"] = .object(try info(call))
      default: params[option.name] = .string(try call.text(value))
      }
    }
    return params
  }

  private static func number(_ text: String, _ option: Option, _ range: ClosedRange<Int>) throws(Complaint)
    -> JSON
  {
    guard let number = Call.number(text), range.contains(number) else {
      throw .wrongWords(
        "“--\(option.name) \(text)” is out of place; give a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return .int(Int64(number))
  }

  private static func info(_ call: Call) throws(Complaint) -> [String: JSON] {
    var pairs: [String: JSON] = [:]
    for value in call.options["info", default: []] {
      let text = try call.text(value)
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw .wrongWords("“--info \(text)” is no pair; write KEY=VALUE, as in --info room=kitchen")
      }
      pairs[String(text[..<equals])] = .string(String(text[text.index(after: equals)...]))
    }
    return pairs
  }

  /// A word with a slash, or one that names a file or folder from here, is a path; any other is a sound's name.
  private static func sound(_ value: Argument, _ call: Call) throws(Complaint) -> String {
    if !value.bytes.contains(UInt8(ascii: "/")) {
      var found = false
      if let folder = try? call.outside.currentFolder() {
        found = folder.appending(value.bytes).withCPath { access($0, F_OK) == 0 }
      }
      if !found { return try call.text(value) }
    }
    return try call.path(value)
  }
}
