extension Settings {
  /// Reads what a settings file holds; what is left out keeps its default.
  ///
  /// - Parameter values: flattened keys (`alarm.snooze`) in the order of the file; the last of a key counts.
  /// - Returns: the settings, and a sentence for each value that is not allowed (its default stands) and each key there
  ///   is not. Whoever keeps the old settings in that case looks at `problems`.
  public static func read(_ values: [(key: String, value: SettingValue)]) -> (
    settings: Settings, problems: [String]
  ) {
    var settings = Settings()
    var problems: [String] = []
    for (key, value) in values {
      if let group = Setting.all.first(where: { $0.applyMember != nil && key.hasPrefix($0.key + ".") }) {
        let name = String(key.dropFirst(group.key.count + 1))
        if group.applyMember?(name, value, &settings) != true {
          problems.append("\(key): \(value.shown) is not allowed; \(group.key) takes \(group.allowed)")
        }
        continue
      }
      guard let setting = Setting.all.first(where: { $0.key == key }) else {
        let near = nearestKey(to: key).map { "the nearest is “\($0)” (“alarm help config” lists all)" }
        problems.append(
          "there is no setting “\(key)”; \(near ?? "“alarm help config” lists those there are")")
        continue
      }
      if !setting.apply(value, &settings) {
        problems.append("\(key): \(value.shown) is not allowed; it takes \(setting.allowed)")
      }
    }
    return (settings, problems)
  }

  /// The key with the fewest letters to change; nil where that would be more than a slip.
  static func nearestKey(to key: String) -> String? {
    let wanted = key.lowercased()
    let ranked = Setting.all.map { setting in
      (distance: editDistance(wanted, setting.key.lowercased()), key: setting.key)
    }
    // A key alone may have been meant that stands in a group.
    let inGroup = Setting.all.first { $0.key.lowercased().hasSuffix("." + wanted) }
    return ranked.min { $0.distance < $1.distance }
      .flatMap { $0.distance <= max(2, wanted.utf8.count / 3) ? $0.key : nil } ?? inGroup?.key
  }

  /// Levenshtein's distance. Long keys are cut, so that a hostile file costs nothing.
  private static func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.utf8.prefix(64)), Array(right.utf8.prefix(64)))
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let change = diagonal + (byte == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}

extension SettingValue {
  /// The value for a sentence. It comes from outside: whoever shows the sentence sanitises it.
  var shown: String {
    switch self {
    case .string(let text): "“\(text.prefix(60))”"
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .bool(let bool): "\(bool)"
    case .list: "a list"
    }
  }
}
