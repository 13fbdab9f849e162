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
    /// SHA-256 of what was written there, and of what is about to be.
    var sums: [String]
  }

  var files: [File] = []
  /// Folders that were made for them.
  var folders: [String] = []
  /// Units were enabled.
  var enabled = false
  /// Lingering was switched on.
  var lingering = false

  var isEmpty: Bool { self == Manifest() }

  func sums(of path: String) -> [String] { files.first { $0.path == path }?.sums ?? [] }

  mutating func set(_ path: String, _ sums: [String]) {
    files.removeAll { $0.path == path }
    if !sums.isEmpty { files.append(File(path: path, sums: sums)) }
  }

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
    for file in files {
      guard case .string(let path)? = file["path"], case .array(let sums)? = file["sums"] else { return nil }
      self.files.append(
        File(path: path, sums: sums.compactMap { if case .string(let sum) = $0 { sum } else { nil } }))
    }
    self.folders = folders.compactMap { if case .string(let folder) = $0 { folder } else { nil } }
  }

  init() {}

  var text: String {
    JSONText.pretty([
      "enabled": .bool(enabled), "lingering": .bool(lingering),
      "folders": .array(folders.map { .string($0) }),
      "files": .array(
        files.map { ["path": .string($0.path), "sums": .array($0.sums.map { .string($0) })] }),
    ]) + "\n"
  }
}
