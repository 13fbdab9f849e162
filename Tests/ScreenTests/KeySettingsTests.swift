import Testing

@testable import Screen

@Suite("Keys of a person's own choice")
struct KeySettingsTests {
  private func changed(_ wanted: [(String, [String])]) -> (table: KeyTable, problems: [String]) {
    KeyTable.standard.changed(wanted.map { (action: $0.0, keys: $0.1) })
  }

  @Test("What is chosen replaces the usual keys, the others stay, and none at all is a choice")
  func chosen() {
    let (table, problems) = changed([
      ("play-pause", ["p", "F", "ctrl-p"]), ("mute", []), ("seek-back", ["shift-left", "media-previous"]),
      ("seek-back-minute", ["["]), ("previous", ["<"]), ("snooze", ["Space", "space"]),
    ])
    #expect(problems == [])
    #expect(table.action(for: "F") == .playPause && table.action(for: .control("p")) == .playPause)
    #expect(table.action(for: " ") == .snooze && table.keys(for: .snooze) == [" "])
    #expect(table.action(for: "m") == nil && table.names(for: .mute) == "")
    #expect(table.action(for: .shiftLeft) == .seekBack && table.action(for: .media(.previous)) == .seekBack)
    #expect(table.action(for: ">") == .next)
  }

  @Test(
    "What is wrong is told in a sentence that names it, and the usual keys stay",
    arguments: [
      ([("mute", ["p"])], ["“p”", "“play-pause”", "“mute”", "has it already"]),
      ([("mute", ["!"]), ("stop", ["!"])], ["“!”", "“mute”", "“stop”", "take it from one"]),
      ([("plya", ["p"])], ["nothing called “plya”"]), ([("mute", ["f13"])], ["no key “f13”"]),
      ([("mute", ["ctrl-i"])], ["“ctrl-i”", "tab"]), ([("mute", ["ctrl-c"])], ["“ctrl-c”", "another key"]),
    ] as [([(String, [String])], [String])])
  func wrong(_ wanted: [(String, [String])], _ words: [String]) throws {
    let (table, problems) = changed(wanted)
    let sentence = try #require(problems.first)
    #expect(problems.count == 1 && words.allSatisfy(sentence.contains), "\(problems)")
    #expect(table == KeyTable.standard)
  }

  @Test("The usual keys have no conflict, every action has a row, and every name can be read back")
  func standard() {
    let all = KeyTable.standard.bindings.flatMap(\.keys)
    #expect(Set(all).count == all.count)
    #expect(Set(KeyTable.standard.bindings.map(\.action)) == Set(Action.allCases))
    #expect(all.allSatisfy { Key(name: $0.name) == $0 })
    #expect(
      changed(KeyTable.standard.bindings.map { ($0.action.rawValue, $0.keys.map(\.name)) }).problems == [])
  }
}
