import CSQLite

/// What SQLite stores in one column.
enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  static func integer(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
  static func integer(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
  static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
  static func bool(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
  /// Microseconds.
  static func span(_ value: Duration?) -> Value { .integer(value?.microseconds) }
}

/// Owns one `sqlite3_stmt*`; finalised in `deinit`.
final class Statement {
  private let handle: OpaquePointer
  private unowned let database: Database

  init(owning handle: OpaquePointer, of database: Database) {
    (self.handle, self.database) = (handle, database)
  }

  deinit { sqlite3_finalize(handle) }

  func run(_ values: [Value]) throws(StoreError) {
    try each(values) { _ throws(StoreError) in }
  }

  /// Calls `body` with each row. The row is good until `body` returns.
  func each(_ values: [Value], _ body: (Row) throws(StoreError) -> Void) throws(StoreError) {
    // What an earlier use left is dropped; its error was thrown then.
    sqlite3_reset(handle)
    defer { sqlite3_reset(handle) }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw database.error(code) }
      try body(Row(handle: handle, path: database.path))
    }
  }

  private func bind(_ value: Value, at index: Int32) throws(StoreError) {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
    case .text(var text):
      code = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          // An empty text has no address, and none would bind NULL.
          reveille_bind_text(handle, index, $0.baseAddress ?? UnsafePointer(emptyText), Int32($0.count))
        }
      }
    }
    if code != SQLITE_OK { throw database.error(code) }
  }
}

/// Something to point to where there is no text. Never written to, never freed.
private nonisolated(unsafe) let emptyText: UnsafeMutablePointer<CChar> = {
  let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  pointer.initialize(to: 0)
  return pointer
}()

/// One row of an answer, columns counted from 0.
struct Row {
  fileprivate let handle: OpaquePointer
  fileprivate let path: String

  /// How many columns it has.
  var count: Int32 { sqlite3_column_count(handle) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(handle, column) }
  func int(_ column: Int32) -> Int? { integer(column).map { Int($0) } }
  func bool(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }
  func span(_ column: Int32) -> Duration? { integer(column).map { .microseconds($0) } }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The value, or the error that the column must not be empty or odd.
  func require<Result>(_ value: Result?, _ what: String) throws(StoreError) -> Result {
    guard let value else {
      throw StoreError(
        .broken, "“\(path)” is not a sound database (\(what) cannot be read); it is left as it is")
    }
    return value
  }
}
