// The keys as a person wants them (`ui.keys`).
extension KeyTable {
  /// What may stand for a key in the settings.
  public static let keyNames: String = {
    let media = MediaKey.allCases.map { "media-\($0.rawValue)" }.joined(separator: ", ")
    return
      "a key is a character, ctrl- and a letter, space, enter, tab, shift-tab, escape, backspace, delete, left, right, up, down, shift-left, shift-right, home, end, page-up, page-down, or on a terminal that sends them \(media)"
  }()

  /// The table with other keys for some actions; the others keep theirs.
  ///
  /// - Returns: the table, and a sentence for everything that is wrong, which come from outside: whoever shows them
  ///   sanitises them. Where there is any, the table is as it was.
  public func changed(_ wanted: [(action: String, keys: [String])]) -> (table: KeyTable, problems: [String]) {
    var rows = bindings
    var problems: [String] = []
    var chosen: Set<Action> = []
    for (name, words) in wanted {
      guard let action = Action(rawValue: name), let row = rows.firstIndex(where: { $0.action == action })
      else {
        problems.append(
          "ui.keys: there is nothing called “\(name.prefix(60))” that keys do; “alarm help config” lists it all"
        )
        continue
      }
      chosen.insert(action)
      rows[row].keys = []
      for word in words {
        switch KeyTable.key(word) {
        case .success(let key): if !rows[row].keys.contains(key) { rows[row].keys.append(key) }
        case .failure(let refusal): problems.append("ui.keys.\(name): \(refusal.sentence)")
        }
      }
    }
    problems += KeyTable.conflicts(rows, chosen)
    return problems.isEmpty ? (KeyTable(rows), []) : (self, problems)
  }

  private struct Refusal: Error { let sentence: String }

  private static func key(_ word: String) -> Result<Key, Refusal> {
    guard let key = Key(name: word) else {
      return .failure(
        Refusal(sentence: "there is no key “\(word.prefix(60))”; “alarm help config” names them"))
    }
    guard case .control(let letter) = key else { return .success(key) }
    // What a terminal sends for these is the same as for the other key, or never comes.
    let other: String? =
      switch letter {
      case "h": "backspace"
      case "i": "tab"
      case "j", "m": "enter"
      default: nil
      }
    if let other {
      return .failure(
        Refusal(sentence: "a terminal does not tell “\(key.name)” from \(other); write “\(other)”"))
    }
    if letter == "c" || letter == "z" {
      return .failure(
        Refusal(
          sentence: "“\(key.name)” always \(letter == "c" ? "ends" : "stops") a program; choose another key"))
    }
    return .success(key)
  }

  /// A sentence for each key that would do two things.
  private static func conflicts(_ rows: [KeyBinding], _ chosen: Set<Action>) -> [String] {
    var owners: [Key: Action] = [:]
    var problems: [String] = []
    for row in rows {
      for key in row.keys {
        guard let other = owners[key] else {
          owners[key] = row.action
          continue
        }
        let usual = [other, row.action].first { !chosen.contains($0) }
        let wayOut =
          usual.map { "“\($0.rawValue)” has it already, so give that another one" }
          ?? "take it from one of them"
        problems.append(
          "ui.keys: the key “\(key.name)” stands for both “\(other.rawValue)” and “\(row.action.rawValue)”; \(wayOut)"
        )
      }
    }
    return problems
  }
}
