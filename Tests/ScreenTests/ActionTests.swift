import Testing
import Wire

@testable import Screen

@Suite("What each key does")
struct ActionTests {
  private func loaded(_ page: Key, _ change: (inout Status) -> Void = { _ in }) -> Model {
    var model = Samples.attached {
      Samples.playing(&$0)
      change(&$0)
    }
    Samples.press(&model, [page])
    return model
  }

  @Test(
    "A key asks the engine",
    arguments: [
      ("1", " ", .toggle), ("1", "p", .toggle), ("1", .media(.playPause), .toggle),
      ("1", .media(.play), .toggle),
      ("1", .media(.pause), .pause), ("1", .media(.stop), .stop), ("1", "S", .stop), ("1", ">", .nextTrack),
      ("1", .media(.next), .nextTrack), ("1", "<", .previousTrack), ("1", .media(.previous), .previousTrack),
      ("1", .left, .seekBy(-5)), ("1", .right, .seekBy(5)), ("1", .shiftLeft, .seekBy(-60)),
      ("1", .shiftRight, .seekBy(60)), ("1", "+", .volume(by: 5)), ("1", "=", .volume(by: 5)),
      ("1", "-", .volume(by: -5)), ("1", .media(.volumeUp), .volume(by: 5)),
      ("1", .media(.volumeDown), .volume(by: -5)), ("1", "m", .mute), ("1", .media(.mute), .mute),
      ("1", "r", .repeats("one")), ("1", "z", .shuffle(true)), ("1", "s", .snooze(minutes: nil)),
      ("1", "d", .dismiss(nil)), ("1", "u", .undo), ("2", "o", .off(3)), ("2", "x", .skip(3, off: true)),
      ("2", "R", .ring(3)), ("2", "D", .remove(3)), ("2", .delete, .remove(3)), ("3", .enter, .playPlace(1)),
      ("3", "D", .removePlace(1)), ("3", "c", .clearQueue), ("3", "J", .movePlace(1, to: 2)),
      ("5", "c", .clearInbox),
      ("5", "D", .clearInbox),
    ] as [(Key, Key, Request)])
  func asks(_ page: Key, _ key: Key, _ request: Request) {
    var model = loaded(page)
    #expect(model.update(.key(key), at: Samples.now()) == [.request(request)])
  }

  @Test("Repeat goes from off to all to one and back")
  func repeats() {
    for (before, after) in [("off", "all"), ("all", "one"), ("one", "off"), ("?", "off")] {
      var model = loaded("1") { $0.queue.repeat = before }
      #expect(model.update(.key("r"), at: Samples.now()) == [.request(.repeats(after))])
    }
  }

  @Test("Digits, Tab and its way back go through the pages")
  func pages() {
    var model = loaded("1")
    for page in Page.allCases {
      Samples.press(&model, [Key(name: "\(page.rawValue)") ?? .escape])
      #expect(model.page == page)
    }
    Samples.press(&model, [.tab])
    #expect(model.page == .clock)
    Samples.press(&model, [.backTab, .backTab])
    #expect(model.page == .log)
    Samples.press(&model, ["?"])
    #expect(model.page == .help)
  }

  @Test("The selection moves by lines, half pages and to the ends, and the list follows it")
  func selection() {
    let alarms = (1...100).map { Samples.alarm($0, "every Mon 07:00", next: "2026-11-30T07:00:00+01:00") }
    var model = Samples.attached(alarms: alarms)
    Samples.answer(&model, model.update(.key("2"), at: Samples.now()), alarms)
    let rows = Layout(model).list.rows
    func after(_ keys: Key...) -> Int {
      for key in keys { Samples.answer(&model, model.update(.key(key), at: Samples.now()), alarms) }
      return model.place.selected
    }
    #expect(after("k") == 0)
    #expect(after("j", .down, "j") == 3)
    #expect(after(.up) == 2)
    #expect(after(.control("d")) == 2 + rows / 2)
    #expect(after(.pageDown) == 2 + rows / 2 * 2)
    #expect(after("G") == 99)
    #expect(model.place.first == 100 - rows)
    #expect(after(.control("u"), .pageUp) == 99 - rows / 2 * 2)
    #expect(after("g") == 0)
    #expect(model.place.first == 0)
    #expect(after(.end) == 99)
    #expect(after(.home) == 0)
  }

  @Test("The selection stays on its alarm when the list is another")
  func staysSelected() {
    var model = loaded("2")
    Samples.press(&model, ["j"])
    #expect(model.selectedAlarm?.id == 4)
    var more = Samples.alarms
    more.append(Samples.alarm(9, "once", next: "2026-11-29T23:00:00+01:00"))
    _ = model.update(.replied(.list, .success(.list(more))), at: Samples.now())
    #expect(model.alarms.map(\.id) == [9, 3, 4, 1])
    #expect(model.selectedAlarm?.id == 4)
    _ = model.update(.replied(.list, .success(.list([]))), at: Samples.now())
    #expect(model.selectedAlarm == nil)
  }

  @Test("What was removed is said with the key that brings it back")
  func undo() {
    var model = loaded("2")
    let reply = AlarmReply(alarms: [Samples.alarms[1]])
    #expect(
      model.update(.replied(.remove(3), .success(.alarm(reply))), at: Samples.now()) == [.request(.list)])
    #expect(model.message?.text == "removed: 3  every Mon-Fri 07:00 (u brings it back)")
    #expect(model.update(.key("u"), at: Samples.now()) == [.request(.undo)])
  }

  @Test("A key for an alarm says where alarms are chosen", arguments: ["e", "o", "x", "R", "D"] as [Key])
  func noAlarm(_ key: Key) {
    var model = loaded("1")
    #expect(model.update(.key(key), at: Samples.now()) == [])
    #expect(model.message?.text == "Choose an alarm first: 2 shows them.")
  }

  @Test("Searching goes to the nearest line as it is typed, on, back, and from where it began after Esc")
  func search() {
    var model = loaded("3")
    Samples.press(&model, ["j", "/"])
    Samples.type(&model, "MAR")
    #expect(model.place.selected == 1)
    Samples.press(&model, [.enter, "n"])
    #expect(model.place.selected == 5)
    Samples.press(&model, ["N", "N"])
    #expect(model.place.selected == 9)
    Samples.press(&model, ["/"])
    Samples.type(&model, "rather")
    #expect(model.place.selected == 11)
    Samples.press(&model, [.escape])
    #expect(model.place.selected == 9 && model.typing == nil)
    Samples.press(&model, ["/"])
    Samples.type(&model, "nowhere")
    #expect(model.place.selected == 9)
    Samples.press(&model, [.enter])
    #expect(model.typing == nil && model.message?.text == "“nowhere” is in no line here.")
    #expect(model.message?.isError == true)
  }

  @Test("What a command prints is laid out for the columns there are, 80 of 80")
  func answerWidth() {
    useUTF8()
    var model = loaded("1")
    for (columns, width) in [(60, 60), (80, 80), (81, 81), (84, 80), (132, 128)] {
      _ = model.update(.resize(Size(columns: columns, rows: 24)), at: Samples.now())
      Samples.press(&model, [":"])
      Samples.type(&model, "list")
      #expect(model.update(.key(.enter), at: Samples.now()) == [.run("list", columns: width)])
      let line = String(repeating: "x", count: width)
      _ = model.update(.ran("list", CommandOutcome(lines: [line, "end"])), at: Samples.now())
      #expect(model.output.map(model.rows(of:))?.map(\.text) == [line, "end"])
      #expect(Picture.text(of: view(model)).contains(line))
      Samples.press(&model, ["q"])
    }
  }

  @Test("The command line runs words, remembers them, and shows what they print")
  func commands() {
    var model = loaded("1")
    Samples.press(&model, [":"])
    Samples.type(&model, "add  07:00")
    #expect(model.update(.key(.enter), at: Samples.now()) == [.run("add 07:00", columns: 80)])
    Samples.press(&model, [":"])
    Samples.type(&model, "list")
    #expect(model.update(.key(.enter), at: Samples.now()) == [])
    #expect(model.message?.isError == true)
    _ = model.update(.ran("add 07:00", CommandOutcome(lines: ["4  once"])), at: Samples.now())
    #expect(model.message?.text == "4  once")
    #expect(model.update(.key(.enter), at: Samples.now()) == [.run("list", columns: 80)])
    _ = model.update(.ran("list", CommandOutcome(lines: ["a", "b"], complaints: ["c"])), at: Samples.now())
    #expect(model.output?.lines.map(\.text) == ["a", "b", "c"])
    Samples.press(&model, ["q"])
    #expect(model.output == nil)
    Samples.press(&model, [":", .up, .up])
    guard case .command(let entry)? = model.typing else {
      Issue.record("no command line")
      return
    }
    #expect(entry.field.text == "add 07:00")
    Samples.press(&model, [.down, .down])
    guard case .command(let now)? = model.typing else { return }
    #expect(now.field.text.isEmpty)
    Samples.press(&model, [.backspace])
    #expect(model.typing == nil)
  }

  @Test(
    "Words that would stop the engine are asked about as the key is, and those that would leave are told the key"
  )
  func stopsByWords() {
    var model = loaded("1")
    Samples.type(&model, ":engine stop")
    #expect(model.update(.key(.enter), at: Samples.now()) == [.run("engine stop", columns: 80)])
    _ = model.update(.ran("engine stop", CommandOutcome(asks: .stopEngine)), at: Samples.now())
    #expect(model.question == .stopEngine && model.message == nil)
    #expect(model.update(.key("y"), at: Samples.now()) == [.request(.stopEngine)])
    Samples.type(&model, ":quit")
    #expect(model.update(.key(.enter), at: Samples.now()) == [])
    #expect(model.message?.text == "“:” takes the shell's words: q leaves the screen.")
  }

  @Test("On the player's page nothing is undone that is not there, and it says where tracks are")
  func undoOnPlayer() {
    var model = loaded("3")
    #expect(model.update(.key("u"), at: Samples.now()) == [])
    #expect(model.message?.text == "Only what was done to alarms is undone: 4 adds a track again.")
  }

  @Test("The engine is stopped only after y")
  func stopEngine() {
    var model = loaded("1")
    #expect(model.update(.key("Q"), at: Samples.now()) == [])
    #expect(model.question == .stopEngine)
    #expect(model.update(.key("q"), at: Samples.now()) == [])
    #expect(model.question == nil && model.message?.text == "The engine goes on.")
    _ = model.update(.key("Q"), at: Samples.now())
    #expect(model.update(.key("y"), at: Samples.now()) == [.request(.stopEngine)])
  }

  @Test("A ring takes the place of a question and of what a command printed")
  func ringOverQuestion() {
    var model = loaded("1")
    _ = model.update(.key("Q"), at: Samples.now())
    var status = Samples.status
    status.ringing = [Samples.ring]
    _ = model.update(.status(status), at: Samples.now(1))
    #expect(model.question == nil)
    #expect(model.update(.key("y"), at: Samples.now(5)) == [])
  }

  @Test("Folders are gone into and out of, tracks play from there on, anything is added")
  func files() {
    var model = loaded("4")
    #expect(model.folder?.path == Samples.places.music)
    // The folder above, the sounds, three folders, a playlist, three tracks.
    #expect(model.count == 9)
    Samples.press(&model, ["j", "j"])
    #expect(
      model.update(.key(.enter), at: Samples.now()) == [.readFolder(Samples.file("/home/ann/Music/Bach"))])
    Samples.answer(&model, [.readFolder(Samples.file("/home/ann/Music/Bach"))])
    #expect(model.folder?.path == Samples.file("/home/ann/Music/Bach") && model.place.selected == 0)
    #expect(model.update(.key("h"), at: Samples.now()) == [.readFolder(Samples.places.music)])
    Samples.answer(&model, [.readFolder(Samples.places.music)])
    // The folder it came from is selected.
    #expect(model.place.selected == 2)
    Samples.press(&model, ["j", "j", "j"])
    #expect(
      model.update(.key("a"), at: Samples.now()) == [.request(.enqueue(["/home/ann/Music/evening.m3u8"]))])
    Samples.press(&model, ["j"])
    #expect(
      model.update(.key(.enter), at: Samples.now())
        == [.request(.play(["/home/ann/Music/2 夜想曲 🎹.flac", "/home/ann/Music/10 مرحبا.mp3"]))])
    _ = model.update(.folder(Samples.file("/elsewhere"), .failure(FolderTrouble("no"))), at: Samples.now())
    #expect(model.message?.text != "no")
  }

  @Test(
    "A playlist is gone into as a folder is: all of it plays, or from one entry on, and what is missing says so"
  )
  func playlist() {
    let path = Samples.playlist.path
    let track = "/home/ann/Music/2 夜想曲 🎹.flac"
    var model = loaded("4")
    Samples.press(&model, ["j", "j", "j", "j", "j"])
    #expect(model.update(.key(.enter), at: Samples.now()) == [.readFolder(path)])
    Samples.answer(&model, [.readFolder(path)])
    // The folder above, all of it, six entries: all of it is selected.
    #expect(model.folder?.path == path && model.count == 8 && model.place.selected == 1)
    #expect(model.update(.key(.enter), at: Samples.now()) == [.request(.play([path.text]))])
    #expect(model.update(.key("a"), at: Samples.now()) == [.request(.enqueue([path.text]))])
    // On the first entry; the same stands at the end once more.
    #expect(model.place.selected == 2)
    #expect(model.update(.key(.enter), at: Samples.now()) == [.request(.play([track, track]))])
    Samples.press(&model, ["j"])
    for key in [.enter, "a"] as [Key] {
      #expect(model.update(.key(key), at: Samples.now()) == [])
      #expect(model.message?.text.hasSuffix(": is not there") == true && model.message?.isError == true)
    }
    Samples.press(&model, ["j"])
    #expect(model.update(.key(.enter), at: Samples.now()) == [.readFolder(Samples.file("/mnt/Café"))])
    Samples.answer(&model, [.readFolder(path)])
    // One that names itself is looked into once more, and nothing else.
    model.folderWanted = nil
    Samples.press(&model, ["j"])
    #expect(model.update(.key(.enter), at: Samples.now()) == [.readFolder(path)])
    Samples.answer(&model, [.readFolder(path)])
    Samples.press(&model, ["G"])
    #expect(model.update(.key(.enter), at: Samples.now()) == [.request(.play([track]))])
    // Up leads to the folder, with the playlist selected.
    #expect(model.update(.key("h"), at: Samples.now()) == [.readFolder(Samples.places.music)])
    Samples.answer(&model, [.readFolder(Samples.places.music)])
    #expect(model.place.selected == 5)
  }

  @Test("Where the music's folder cannot be read, browsing begins at home")
  func noMusic() {
    var model = Samples.attached()
    #expect(model.update(.key("4"), at: Samples.now()) == [.readFolder(Samples.places.music)])
    #expect(
      model.update(.folder(Samples.places.music, .failure(FolderTrouble("no"))), at: Samples.now())
        == [.readFolder(Samples.places.home)])
    #expect(
      model.update(
        .folder(Samples.places.home, .failure(FolderTrouble("not home either"))), at: Samples.now())
        == [])
    #expect(model.message?.text == "not home either")
  }

  @Test("Seeing the inbox resets the badge, where a person sees it")
  func inbox() {
    for (focus, seen) in [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)] {
      var model = Samples.attached {
        $0.inbox = [Samples.missed]
        $0.badge = 2
      }
      if let focus { _ = model.update(.focus(focus), at: Samples.now()) }
      #expect(model.update(.key("5"), at: Samples.now()) == [.request(.inbox(seen: seen))])
      let reply = Reply.inbox([Samples.missed])
      #expect(model.update(.replied(.inbox(seen: seen), .success(reply)), at: Samples.now()) == [])
      #expect(model.status?.badge == (seen ? 0 : 2))
      guard !seen else { continue }
      #expect(
        model.update(.focus(true), at: Samples.now()) == [
          .request(.focus(true)), .request(.inbox(seen: true)),
        ])
    }
  }

  @Test("An inbox that is refused is not asked for again until something is another")
  func refusedInbox() {
    var model = Samples.attached {
      $0.inbox = [Samples.missed]
      $0.badge = 2
    }
    #expect(model.update(.key("5"), at: Samples.now()) == [.request(.inbox(seen: true))])
    let failure = WireError(code: ErrorCode.refused, "no")
    #expect(model.update(.replied(.inbox(seen: true), .failure(failure)), at: Samples.now()) == [])
    #expect(model.update(.tick, at: Samples.now(1)) == [])
    guard let status = model.status else { return }
    #expect(model.update(.status(status), at: Samples.now(2)) == [.request(.inbox(seen: true))])
  }

  @Test("A notification is read with Enter and left with any key")
  func reading() {
    var model = Samples.attached { $0.inbox = [Samples.missed] }
    Samples.press(&model, ["5", .enter])
    #expect(model.openedEntry == Samples.missed)
    Samples.press(&model, [.escape])
    #expect(model.openedEntry == nil && model.page == .inbox)
  }

  @Test("Esc puts away an answer that has been read, and nothing else")
  func answerRead() {
    var model = loaded("2")
    _ = model.update(.replied(.toggle, .failure(WireError(code: 1, "no"))), at: Samples.now())
    #expect(model.message?.text == "no")
    #expect(model.update(.key(.escape), at: Samples.now()) == [])
    #expect(model.message == nil && model.page == .alarms)
  }

  @Test("The queue is asked for a page at a time, again where it is another, and not for ever")
  func queue() {
    var model = Samples.attached {
      Samples.playing(&$0)
      $0.queue.length = 1200
    }
    model.meterChoice = .off
    func entries(_ from: Int, _ count: Int) -> Reply { .queue((from..<from + count).map(Samples.queueEntry)) }
    #expect(model.update(.key("3"), at: Samples.now()) == [.request(.queue(from: 1))])
    #expect(model.update(.key("j"), at: Samples.now()) == [])
    #expect(
      model.update(.replied(.queue(from: 1), .success(entries(1, 500))), at: Samples.now()) == [])
    #expect(model.update(.key("G"), at: Samples.now()) == [.request(.queue(from: 1001))])
    // It has become shorter meanwhile, and the status that says so is on its way.
    #expect(
      model.update(.replied(.queue(from: 1001), .success(entries(1001, 50))), at: Samples.now()) == [])
    #expect(model.queue[1049] != nil && model.queue[1050] == nil)
    var status = model.status ?? Samples.status
    status.queue.changes += 1
    #expect(model.update(.status(status), at: Samples.now()) == [.request(.queue(from: 1001))])
    let failure = WireError(code: ErrorCode.refused, "no")
    #expect(model.update(.replied(.queue(from: 1001), .failure(failure)), at: Samples.now()) == [])
  }

  @Test("The log is asked for when it is shown, and again when something has happened")
  func log() {
    var model = Samples.attached()
    #expect(model.update(.key("6"), at: Samples.now()) == [.request(.log)])
    #expect(model.update(.replied(.log, .success(.log(Samples.log))), at: Samples.now()) == [])
    #expect(model.update(.tick, at: Samples.now(60)) == [])
    var status = Samples.status
    status.alarms.changes += 1
    #expect(model.update(.status(status), at: Samples.now(61)) == [.request(.list), .request(.log)])
  }

  @Test("The help names every action and every key, and no key has two meanings")
  func help() {
    #expect(Set(KeyTable.standard.bindings.map(\.action)) == Set(Action.allCases))
    let keys = KeyTable.standard.bindings.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    useUTF8()
    var model = Samples.attached(80, 70)
    Samples.press(&model, ["?"])
    let lines = Picture.text(of: view(model))
    for binding in KeyTable.standard.bindings {
      #expect(lines.contains(binding.action.does))
      #expect(lines.contains(KeyTable.standard.names(for: binding.action)))
    }
  }

  @Test("A key's name reads back as the key")
  func names() {
    for key in KeyTable.standard.bindings.flatMap(\.keys) { #expect(Key(name: key.name) == key) }
    #expect(
      Key(name: "SPACE") == " " && Key(name: "") == nil && Key(name: "ctrl-") == nil && Key(name: "xy") == nil
    )
  }

  @Test("Another table of keys changes keys, hints and help alike")
  func otherKeys() {
    useUTF8()
    let table = KeyTable([KeyBinding(.playPause, ["y"]), KeyBinding(.help, ["H"]), KeyBinding(.add, [])])
    var model = Samples.attached(keys: table)
    #expect(model.update(.key("y"), at: Samples.now()) == [.request(.toggle)])
    #expect(model.update(.key("p"), at: Samples.now()) == [])
    let lines = Picture.text(of: view(model))
    #expect(lines.contains("y play/pause") && lines.contains("H keys") && !lines.contains("a add"))
  }
}
