import Glibc
import Synchronization

/// The tz database of a machine: where its files are, what they are called, and which one is in force.
///
/// Any thread may ask. Tests make one of their own on a private folder.
final class ZoneLibrary: Sendable {
  static let systemFolders = ["/usr/share/zoneinfo", "/etc/zoneinfo", "/usr/lib/zoneinfo"]
  static let system = ZoneLibrary(
    folders: systemFolders, etc: "/etc",
    variable: { name in getenv(name).map { String(cString: $0) } })

  private let folders: [String]
  private let etc: String
  private let variable: @Sendable (String) -> String?
  /// Tables already read, by path, with what the file looked like then: a file that was replaced is read again.
  private let tables = Mutex<[String: (stamp: Stamp, table: ZoneTable)]>([:])

  /// `etc` is the folder with `localtime` and `timezone`; `variable` looks up a variable of the environment.
  init(folders: [String], etc: String, variable: @escaping @Sendable (String) -> String?) {
    (self.folders, self.etc, self.variable) = (folders, etc, variable)
  }

  /// The zone with that name; see `Zone.init`.
  func zone(named name: String) -> Zone? {
    if let zone = zone(exactly: name) { return zone }
    let wanted = name.lowercased()
    if let known = identifiers().first(where: { $0.lowercased() == wanted }), known != name,
      let zone = zone(exactly: known)
    {
      return zone
    }
    return ["utc", "etc/utc", "gmt", "etc/gmt"].contains(wanted) ? .utc : nil
  }

  /// The zone with exactly that name.
  func zone(exactly name: String) -> Zone? {
    // Names are relative paths of plain characters; nothing else reaches the file system.
    guard (1...64).contains(name.utf8.count), !name.hasPrefix("/"), !name.hasPrefix("."),
      !name.contains("/."),
      name.utf8.allSatisfy({ isNameByte($0) })
    else { return nil }
    for folder in places {
      if let table = table(at: folder + "/" + name) { return Zone(identifier: name, table: table) }
    }
    return nil
  }

  /// The zone in force; see `Zone.current`.
  func current() -> Zone {
    if let value = variable("TZ") {
      let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
      if name.hasPrefix("/") { return zone(atPath: name) ?? .utc }
      if let zone = zone(named: plainName(name)) { return zone }
      guard let rule = PosixRule(name) else { return .utc }
      return Zone(identifier: name, table: ZoneTable(before: rule.standard, transitions: [], rule: rule))
    }
    if let zone = zone(atPath: etc + "/localtime") { return zone }
    return nameInTimezoneFile().flatMap { zone(named: $0) } ?? .utc
  }

  /// All names, sorted; see `Zone.allIdentifiers`.
  func identifiers() -> [String] {
    var names: Set<String> = ["UTC"]
    for folder in places { collect(folder, prefix: "", into: &names) }
    return names.sorted()
  }

  private var places: [String] { (variable("TZDIR").map { [$0] } ?? []) + folders }

  /// The zone a path leads to, named after the part of the path (or of what it links to) behind `zoneinfo/`.
  private func zone(atPath path: String) -> Zone? {
    guard let table = table(at: path) else { return nil }
    var link = path
    for _ in 0..<8 {
      if let range = places.lazy.map({ $0 + "/" }).first(where: { link.hasPrefix($0) }) {
        return Zone(identifier: plainName(String(link.dropFirst(range.count))), table: table)
      }
      guard let target = target(ofLink: link) else { break }
      let parent = link.lastIndex(of: "/").map { String(link[..<$0]) } ?? ""
      link = normal(target.hasPrefix("/") ? target : parent + "/" + target)
    }
    // A plain copy: its name is in /etc/timezone, if that says the same.
    if let name = nameInTimezoneFile(), let named = zone(named: name), named.table == table { return named }
    return Zone(identifier: "localtime", table: table)
  }

  private func nameInTimezoneFile() -> String? {
    guard let bytes = read(etc + "/timezone", limit: 256) else { return nil }
    return String(decoding: bytes.prefix { $0 > 32 && $0 < 127 }, as: UTF8.self)
  }

  private func table(at path: String) -> ZoneTable? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let stamp = Stamp(
      device: status.st_dev, file: status.st_ino, size: Int(status.st_size), changed: status.st_mtim.tv_sec,
      fraction: status.st_mtim.tv_nsec)
    if let known = tables.withLock({ $0[path] }), known.stamp == stamp { return known.table }
    guard let bytes = read(path, limit: 1 << 20), let table = ZoneTable(file: bytes) else { return nil }
    tables.withLock { $0[path] = (stamp, table) }
    return table
  }

  private func collect(_ folder: String, prefix: String, into names: inout Set<String>) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let kind = Int32(entry.pointee.d_type)
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // Zones and their folders begin with a capital; `posix`, `right`, `localtime` and the tables do not.
      guard let first = name.utf8.first, (65...90).contains(first) || !prefix.isEmpty, name != "Factory",
        name.utf8.allSatisfy({ isNameByte($0) })
      else { continue }
      if kind == Int32(DT_DIR) {
        if prefix.utf8.count < 40 { collect(folder + "/" + name, prefix: prefix + name + "/", into: &names) }
      } else {
        names.insert(prefix + name)
      }
    }
  }
}

/// What tells one state of a file from another.
private struct Stamp: Equatable {
  var device: dev_t
  var file: ino_t
  var size: Int
  var changed: Int
  var fraction: Int
}

private func isNameByte(_ byte: UInt8) -> Bool {
  (48...57).contains(byte) || (65...90).contains(byte & 0xdf) || "_+-/".utf8.contains(byte)
}

/// The name without `posix/` or `right/`, the folders with other forms of the same zones.
private func plainName(_ name: String) -> String {
  for folder in ["posix/", "right/"] where name.hasPrefix(folder) {
    return String(name.dropFirst(folder.count))
  }
  return name
}

/// The path with `.` and `..` worked out.
private func normal(_ path: String) -> String {
  var parts: [Substring] = []
  for part in path.split(separator: "/") where part != "." {
    if part == ".." { _ = parts.popLast() } else { parts.append(part) }
  }
  return "/" + parts.joined(separator: "/")
}

/// What a symbolic link holds (`readlink(2)`); nil for everything else.
private func target(ofLink path: String) -> String? {
  var buffer = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &buffer, buffer.count)
  guard count > 0, count < buffer.count else { return nil }
  return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The bytes of a file; nil when it cannot be read or is longer than `limit`.
private func read(_ path: String, limit: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 8192)
  while true {
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0, result.count + count <= limit else { return nil }
    if count == 0 { return result }
    result.append(contentsOf: buffer[..<count])
  }
}
