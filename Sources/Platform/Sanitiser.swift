/// Text from outside made fit to show: tags, file names, labels, user-info, what a bus or a socket sent.
///
/// Every C0 and C1 control, DEL, the bidirectional overrides and isolates, line and paragraph separators, other
/// format characters that reorder or hide text, and lone surrogates become U+FFFD; a tab or line break becomes a space.
/// Nothing that passes can move a cursor, end a line, set a title or turn the text around it.
public func clean(_ text: some StringProtocol) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return String(text) }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d, 0x85, 0x2028, 0x2029: result.append(" ")
    case 0x00...0x1f, 0x7f...0x9f: result.append("\u{fffd}")
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x206f: result.append("\u{fffd}")
    case 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f: result.append("\u{fffd}")
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// The same, cut where it is longer than a sentence can bear.
public func clean(_ text: some StringProtocol, atMost characters: Int) -> String {
  // Cut before it is looked at, so that a megabyte costs nothing.
  let start = text.prefix(characters + 1)
  return start.count > characters ? clean(start.dropLast()) + "…" : clean(start)
}
