import Glibc

/// Which characters the terminal takes, by the person's locale.
enum Locale {
  /// Sets the C library's character type (curses and `wcwidth` go by it) and says what it is.
  ///
  /// A locale that is named but not installed, as happens over ssh, and no locale at all fall back to `C.UTF-8`, because
  /// terminals of today are UTF-8; one that names something else is believed.
  static func prepare(environment: [String: String]) -> Charset {
    let name =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    if setlocale(LC_CTYPE, "") != nil, !name.isEmpty { return charset }
    let isOther = !name.isEmpty && !name.uppercased().contains("UTF")
    if isOther || setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "C") }
    return charset
  }

  private static var charset: Charset {
    guard let name = nl_langinfo(nl_item(CODESET)) else { return .ascii }
    return String(cString: name).uppercased().hasPrefix("UTF") ? .unicode : .ascii
  }
}
