import FoundationEssentials
import Glibc
import Platform
import Wire

/// What `alarm install` has written, so that `alarm uninstall` takes back just that.
///
/// It is stored before the first file is written and again after the last, so that wherever an installation breaks off,
/// each of its files is known.
struct Manifest: Hashable {
  struct File: Hashable {
    var path: String
    /// What was written there, and what is about to be.
    var copies: [[UInt8]] = []
    /// The same, where a version before this one wrote it, which kept digests only (SHA-256, hexadecimal).
    var sums: [String] = []

    /// What was found there is what was written there. Digests are left to sha256sum(1).
    func wrote(_ found: [UInt8], _ run: ([String]) throws(SystemError) -> ToolResult) -> Bool {
      if copies.contains(found) { return true }
      guard !sums.isEmpty, let sum = try? run(["sha256sum", "--", path]), sum.succeeded else { return false }
      // A backslash stands before one whose file has an odd name.
      return sums.contains(String(sum.output.drop { $0 == "\\" }.prefix(64)))
    }
  }

  private(set) var files: [File] = []
  /// Folders that were made for them.
  var folders: [String] = []
  /// Units were enabled.
  var enabled = false
  /// Lingering was switched on.
  var lingering = false
  /// A file of somebody else's that was given the right to wake the machine.
  var capable: String?

  var isEmpty: Bool { self == Manifest() }

  subscript(path: String) -> File? { files.first { $0.path == path } }

  /// `bytes` are about to be written to a file, in the place of what it has been until now.
  mutating func expect(_ bytes: [UInt8], at path: String) {
    var file = self[path] ?? File(path: path)
    if !file.copies.contains(bytes) { file.copies.append(bytes) }
    remove(path)
    files.append(file)
  }

  /// `bytes` are what the file holds.
  mutating func set(_ path: String, _ bytes: [UInt8]) {
    remove(path)
    files.append(File(path: path, copies: [bytes]))
  }

  mutating func remove(_ path: String) { files.removeAll { $0.path == path } }

  static func path(_ paths: Paths) -> String { paths.data + "/installed.json" }

  /// Empty where nothing is installed.
  static func read(_ paths: Paths) throws(Complaint) -> Manifest {
    let path = path(paths)
    guard access(path, F_OK) == 0 else { return Manifest() }
    do {
      guard let manifest = Manifest(try JSON(json5: try readFile(path))) else {
        throw Complaint.failed("“\(path)” is not what “alarm install” wrote; move it away and try again")
      }
      return manifest
    } catch let error as Complaint {
      throw error
    } catch {
      throw .failed("“\(path)” cannot be understood (\(error)); move it away and try again")
    }
  }

  /// What is read here is deleted by, so nothing is guessed.
  private init?(_ json: JSON) {
    guard case .array(let files)? = json["files"], case .array(let folders)? = json["folders"],
      case .bool(let enabled)? = json["enabled"], case .bool(let lingering)? = json["lingering"]
    else { return nil }
    (self.enabled, self.lingering) = (enabled, lingering)
    for json in files {
      guard case .string(let path)? = json["path"] else { return nil }
      var file = File(path: path)
      file.sums = Manifest.texts(json["sums"])
      for text in Manifest.texts(json["copies"]) {
        guard let copy = Data(base64Encoded: text) else { return nil }
        file.copies.append(Array(copy))
      }
      self.files.append(file)
    }
    self.folders = Manifest.texts(.array(folders))
    if case .string(let path)? = json["capable"] { capable = path }
  }

  private static func texts(_ json: JSON?) -> [String] {
    guard case .array(let values)? = json else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  init() {}

  var text: String {
    var members: [String: JSON] = [
      "enabled": .bool(enabled), "lingering": .bool(lingering),
      "folders": .array(folders.map { .string($0) }),
      "files": .array(
        files.map { file in
          var members: [String: JSON] = [
            "path": .string(file.path),
            "copies": .array(file.copies.map { .string(Data($0).base64EncodedString()) }),
          ]
          if !file.sums.isEmpty { members["sums"] = .array(file.sums.map { .string($0) }) }
          return .object(members)
        }),
    ]
    if let capable { members["capable"] = .string(capable) }
    return JSONText.pretty(.object(members)) + "\n"
  }
}
