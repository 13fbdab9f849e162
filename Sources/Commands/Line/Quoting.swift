import Schedule

// Values of several words that nobody put in quotation marks: the shell hands over the first as the value, and the others as
// words of the command.
extension Call {
  /// Says so where the words of WHEN end in what belongs to an option.
  func requireQuoted(_ words: [String]) throws(Complaint) {
    try requireQuotedUntil()
    let texts = ["label", "body", "action"].filter { options[$0] != nil }
    guard let name = texts.first, let value = try option(name), !words.isEmpty else { return }
    let (zone, now) = (Zone.current(), outside.now())
    func isTime(_ words: some Collection<String>) -> Bool {
      let text = words.joined(separator: " ")
      return (try? When.parse(text, now: now, zone: zone)) != nil
    }
    guard !isTime(words), let used = (1..<words.count).last(where: { isTime(words.prefix($0)) }) else {
      return
    }
    throw unquoted(name, value, words.dropFirst(used))
  }

  /// Says so where words of the command go on with the date of `--until`: `--until 24 December`.
  func requireQuotedUntil() throws(Complaint) {
    guard let value = try option("until") else { return }
    let words = try texts()
    let (zone, now) = (Zone.current(), outside.now())
    func isDate(_ text: String) -> Bool { (try? LocalDate.parse(text, now: now, zone: zone)) != nil }
    guard !isDate(value) else { return }
    for count in stride(from: min(3, words.count), to: 0, by: -1) {
      let rest = words.suffix(count)
      if isDate(([value] + rest).joined(separator: " ")) { throw unquoted("until", value, rest) }
    }
  }

  private func unquoted(_ option: String, _ value: String, _ rest: some Collection<String>) -> Complaint {
    let whole = ([value] + rest).joined(separator: " ")
    return .wrongWords("a value of several words stands in quotation marks: --\(option) \"\(whole)\"")
  }
}
