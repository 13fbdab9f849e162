/// What ALSA makes of a device's name before anything is opened.
public enum DeviceName {
  /// Whether opening it could overwrite a file that the name itself chooses: `file:/x` and `tee:hw,/x` of ALSA's own
  /// configuration do, also as the slave of another (`plug:'file:/x'`), and whatever is configured in the name itself.
  /// What a person has defined as `pcm.NAME` names its file there, not here, and is fine.
  public static func writesFile(_ name: String) -> Bool {
    // Braces are configuration, and behind a backslash in quotes any letter can hide (alsa-lib's parse_string).
    if name.contains(where: { $0 == "{" || $0 == "}" || $0 == "\\" }) { return true }
    let words = name.split(separator: ":", omittingEmptySubsequences: false).dropLast()
    return words.contains { before in
      let word = before.utf8.reversed().prefix { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
          true
        default: false
        }
      }
      let plugin = String(decoding: word.reversed(), as: UTF8.self)
      return plugin == "file" || plugin == "tee"
    }
  }
}
