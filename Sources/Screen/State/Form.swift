import Platform
import Schedule
import Wire

/// The form in which an alarm is added or edited.
public struct Form: Hashable, Sendable {
  public enum Field: String, Hashable, Sendable, CaseIterable {
    case when, label, sound, volume, fade, snooze, body

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// What is shown where nothing has been typed.
    var hint: String {
      switch self {
      case .when: "07:00   mon-fri 7am   tomorrow 6:30   +25m"
      case .label: "what it is called"
      case .sound: "a name or a file; else the usual one"
      case .volume: "0 to 100; else the usual one"
      case .fade: "how long it takes to get loud: 30s"
      case .snooze: "how long a snooze is: 10 min"
      case .body: "a longer text that is shown when it rings"
      }
    }
  }

  /// The alarm that is edited; nil: one is added.
  public let editing: AlarmEntry?
  public private(set) var current = Field.when
  private var fields: [Field: TextField]
  private let original: [Field: String]
  /// What the words mean, for exactly these words.
  public var preview: Preview?
  /// The complaint about what was sent, with the fields called as the form has them.
  public private(set) var refusal: String?
  /// The field that the complaint names.
  private var refused: Field?
  /// Sent, and not answered yet.
  public var isSent = false

  public init(editing: AlarmEntry? = nil) {
    self.editing = editing
    let texts = editing.map(Form.texts) ?? [:]
    fields = Dictionary(uniqueKeysWithValues: Field.allCases.map { ($0, TextField(texts[$0] ?? "")) })
    original = fields.mapValues(\.text)
  }

  private static func texts(_ alarm: AlarmEntry) -> [Field: String] {
    func span(_ seconds: Double?) -> String {
      guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
      return Span.text(.milliseconds(Int64(seconds * 1000)))
    }
    return [
      .when: alarm.when, .label: alarm.label, .sound: alarm.sound ?? "",
      .volume: alarm.volume.map(String.init) ?? "", .fade: span(alarm.fade), .snooze: span(alarm.snooze),
      .body: alarm.body,
    ]
  }

  public subscript(field: Field) -> TextField {
    get { fields[field] ?? TextField() }
    set { fields[field] = newValue }
  }

  /// The words of WHEN, without the spaces around them.
  public var words: String { Form.trimmed(self[.when].text) }

  /// They are not those of the alarm as it is.
  var hasNewWords: Bool { editing == nil || words != Form.trimmed(original[.when] ?? "") }

  /// Shows why it was not taken, where it is to be mended. A field that the engine calls as the shell does (`--volume`) is
  /// called by its title.
  mutating func refuse(_ sentence: String, about field: Field? = nil) {
    (refusal, refused) = (sentence, field)
    for field in Field.allCases {
      let parts = sentence.split(separator: "--" + field.rawValue, omittingEmptySubsequences: false)
      // `--snooze-limit` is another option.
      guard parts.count > 1,
        parts.dropFirst().allSatisfy({ $0.first.map { !$0.isLetter && $0 != "-" } ?? true })
      else { continue }
      (refusal, refused) = (parts.joined(separator: field.title), field)
      break
    }
    if let refused { current = refused }
  }

  /// The complaint goes when what it names is changed; where it names nothing, with any change.
  mutating func forgetRefusal(changed fields: [Field]) {
    guard !fields.isEmpty, refused.map(fields.contains) ?? true else { return }
    (refusal, refused) = (nil, nil)
  }

  mutating func move(by count: Int) {
    let all = Field.allCases
    let index = all.firstIndex(of: current) ?? 0
    current = all[(index + count + all.count) % all.count]
  }

  mutating func select(_ field: Field) { current = field }

  /// The next of the sounds' names in the field.
  mutating func offerSound(_ names: [String], by step: Int) {
    guard !names.isEmpty else { return }
    let index = names.firstIndex(of: self[.sound].text).map { $0 + step } ?? (step > 0 ? 0 : names.count - 1)
    self[.sound] = TextField(names[(index + names.count) % names.count])
  }

  /// What is to be sent; nil where nothing was changed.
  func params(_ places: Places) -> [String: JSON]? {
    var params: [String: JSON] = [:]
    for field in Field.allCases {
      let text = field == .body || field == .label ? self[field].text : Form.trimmed(self[field].text)
      guard text != Form.trimmed(original[field] ?? ""), text != original[field] else { continue }
      params[field.rawValue] = .string(field == .sound ? Form.sound(text, places) : text)
    }
    if params.isEmpty { return nil }
    if let editing { params["id"] = .int(Int64(editing.id)) }
    return params
  }

  /// A word with a slash is a path, seen from the working folder; any other is a sound's name.
  private static func sound(_ text: String, _ places: Places) -> String {
    guard text.contains("/"), let file = FileName(text: text) else { return text }
    return file.absolute(from: places.current, home: String(decoding: places.home.bytes, as: UTF8.self)).text
  }

  static func trimmed(_ text: String) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}
