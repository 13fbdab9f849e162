/// Colours for a terminal (ECMA-48, SGR); without colours the text stays as it is.
struct Style {
  let isOn: Bool

  func bold(_ text: String) -> String { wrapped(text, "1") }
  func faint(_ text: String) -> String { wrapped(text, "2") }
  func red(_ text: String) -> String { wrapped(text, "1;31") }
  func yellow(_ text: String) -> String { wrapped(text, "33") }

  private func wrapped(_ text: String, _ codes: String) -> String {
    isOn && !text.isEmpty ? "\u{1b}[\(codes)m\(text)\u{1b}[0m" : text
  }
}
