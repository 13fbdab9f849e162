import Platform
import Wire

extension Command {
  static let queue = Command(
    "queue", .player,
    forms: [
      "[list]", "play N", "add [--next] SOURCE…", "move N TO", "remove N…", "clear", "shuffle on|off",
      "repeat off|one|all", "stop-after [on|off]",
    ], "shows and changes what is to be played",
    about: [
      "N is a track's number, as “alarm queue” shows it. What is added comes at the end, or with “--next” behind the track that plays.",
      "“play” says what plays once its file is open; where that cannot be opened it says why, and what plays in its place.",
      "“stop-after” lets the music stop when the present track has ended.",
    ],
    options: [Option("next", "adds behind the track that plays"), .json],
    examples: [
      Example("alarm queue", "the tracks, the present one marked"),
      Example("alarm queue add ~/Music/b.flac", "at the end"),
      Example("alarm queue play 3", "goes to the third"),
      Example("alarm queue shuffle on", "in a random order"),
    ]
  ) { call throws(Complaint) in
    let verb = call.words.isEmpty ? "list" : try call.text(call.words[0])
    guard verb == "add" || !call.has("next") else {
      throw .wrongWords("“--next” belongs to “alarm queue add”; leave it out")
    }
    switch verb {
    case "list": return try call.listQueue()
    case "add":
      var sources: [JSON] = []
      for word in call.words.dropFirst() { sources.append(.string(try call.path(word))) }
      guard !sources.isEmpty else {
        throw .wrongWords("say what to add: “alarm queue add FILE”")
      }
      return try call.perform("queue.add", ["sources": .array(sources), "next": .bool(call.has("next"))])
    case "play":
      let places = try call.places("alarm queue play 3", exactly: 1)
      return try call.perform("queue.play", ["place": .int(places[0])])
    case "move":
      let places = try call.places("alarm queue move 3 1", exactly: 2)
      return try call.perform("queue.move", ["place": .int(places[0]), "to": .int(places[1])])
    case "remove":
      let places = try call.places("alarm queue remove 3", exactly: nil)
      return try call.perform("queue.remove", ["places": .array(places.map(JSON.int))])
    case "clear":
      _ = try call.choice(of: [], "alarm queue clear", orNone: "")
      return try call.perform("queue.clear")
    case "shuffle":
      let word = try call.choice(of: ["on", "off"], "alarm queue shuffle on")
      return try call.perform("queue.shuffle", ["on": .bool(word == "on")])
    case "stop-after":
      let word = try call.choice(of: ["on", "off"], "alarm queue stop-after", orNone: "on")
      return try call.perform("queue.stop-after", ["on": .bool(word == "on")])
    case "repeat":
      let word = try call.choice(of: ["off", "one", "all"], "alarm queue repeat all")
      return try call.perform("queue.repeat", ["mode": .string(word)])
    default:
      throw .wrongWords(
        "“alarm queue \(verb)” is nothing it knows; it takes list, play, add, move, remove, clear, shuffle, repeat and stop-after, as in “alarm queue play 3”"
      )
    }
  }
}

extension Call {
  /// The numbers behind the verb, which are tracks.
  fileprivate func places(_ right: String, exactly count: Int?) throws(Complaint) -> [Int64] {
    var places: [Int64] = []
    for word in try texts().dropFirst() {
      guard let place = Call.number(word), place > 0 else {
        throw .wrongWords("“\(word)” is not a track's number; “alarm queue” shows them, as in “\(right)”")
      }
      places.append(Int64(place))
    }
    guard count.map({ $0 == places.count }) ?? !places.isEmpty else {
      throw .wrongWords("say which, by numbers as “alarm queue” shows them: “\(right)”")
    }
    return places
  }

  /// The one word behind the verb.
  fileprivate func choice(of words: [String], _ right: String, orNone none: String? = nil) throws(Complaint)
    -> String
  {
    let typed = Array(try texts().dropFirst())
    if typed.isEmpty, let none { return none }
    guard typed.count == 1, words.contains(typed[0]) else {
      let what = typed.isEmpty ? "a word is missing" : "“\(typed.joined(separator: " "))” is not right here"
      throw .wrongWords("\(what); write “\(right)”")
    }
    return typed[0]
  }

  fileprivate func listQueue() throws(Complaint) -> Int32 {
    guard words.count <= 1 else {
      throw .wrongWords("“alarm queue list” takes no more words; leave them out")
    }
    let link = try engine()
    var entries: [QueueEntry] = []
    var pages: [JSON] = []
    do throws(WireError) {
      while true {
        let page = try link.ask(
          "queue.list", .object(["from": .int(Int64(entries.count + 1))]), as: Answer<[QueueEntry]>.self)
        entries += page.reply
        if case .array(let list) = page.json { pages += list }
        if page.reply.count < Methods.queuePage { break }
      }
    } catch {
      throw Complaint(error)
    }
    if has("json") {
      printLine(JSONText.pretty(.array(pages)))
      return 0
    }
    if entries.isEmpty { warn(["the queue is empty; “alarm play FILE” plays, “alarm queue add FILE” adds"]) }
    let columns = outside.tableColumns
    let rows = entries.map { entry in
      [
        entry.current ? ">" : "", "\(entry.place)", entry.shownTitle, clean(entry.artist), clean(entry.album),
        entry.duration.map(SpanText.position) ?? "",
      ]
    }
    for (entry, cells) in zip(entries, Columns.align(rows, limit: columns, shrinkable: [2, 3, 4])) {
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      printLine(entry.current ? style.bold(line) : line)
    }
    return 0
  }
}

extension QueueEntry {
  /// The title, else the file's name; clean.
  fileprivate var shownTitle: String {
    title.isEmpty ? FileName(text: path)?.lastShown ?? clean(path) : clean(title)
  }
}
