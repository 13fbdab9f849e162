/// Sentences about damage that wait to be taken; a file that is damaged everywhere gets a few, not thousands.
struct Complaints {
  private var waiting: [String] = []
  private var room = 16

  mutating func add(_ sentence: String) {
    guard room > 0, !waiting.contains(sentence) else { return }
    room -= 1
    waiting.append(sentence)
  }

  mutating func take() -> String? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
