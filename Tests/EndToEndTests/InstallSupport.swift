import Glibc
import Harness
import Platform

extension World {
  /// Everything below home, settings and data but the engine's own things: folders with an empty text, links with their
  /// target, files with mode and digest.
  func tree() throws -> [String: String] {
    var found: [String: String] = [:]
    func walk(_ path: String, _ shown: String) throws {
      for name in listFolder(path) {
        // Alarms and the log belong to no installation.
        if shown == "/data", name == "reveille" { continue }
        let (inner, key) = ("\(path)/\(name)", "\(shown)/\(name)")
        var status = stat()
        try check("cannot look at “\(inner)”") { lstat(inner, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
          found[key] = ""
          try walk(inner, key)
        case S_IFLNK:
          found[key] = "-> \(String(decoding: try runOrThrow(["readlink", inner]), as: UTF8.self))"
        default:
          found[key] =
            "\(status.st_mode) \(try readFile(inner).map { String($0, radix: 16) }.joined(separator: " "))"
        }
      }
    }
    for folder in ["home", "config", "data"] { try walk("\(self.folder.path)/\(folder)", "/\(folder)") }
    return found
  }

  /// A program in a folder that comes first in PATH: its words go to `NAME.log`, and `body` is what else it does.
  func putTool(_ name: String, _ body: String) throws {
    let tools = folder.path + "/tools"
    if mkdir(tools, 0o700) == 0 { setEnvironment("PATH", tools + ":" + (environment["PATH"] ?? "")) }
    let script = "#!/bin/sh\necho \"$*\" >>'\(folder.path)/\(name).log'\n\(body)\n"
    try folder.write(Array(script.utf8), to: folder.file("tools/\(name)"))
    chmod("\(tools)/\(name)", 0o700)
  }

  /// How a tool was called, a line a call.
  func calls(of tool: String) -> [String] {
    let text = (try? readFile("\(folder.path)/\(tool).log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  var shared: String { folder.path + "/data" }
  var units: String { folder.path + "/config/systemd/user" }
}

func text(of path: String) throws -> String { String(decoding: try readFile(path), as: UTF8.self) }
