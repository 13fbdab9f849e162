import CLinux
import Glibc

/// Where things lie, by the XDG base directories (freedesktop.org) and the environment that is given.
public struct Paths: Sendable {
  public let home: String
  /// `$XDG_CONFIG_HOME`
  public let configurationHome: String
  /// `$XDG_DATA_HOME`
  public let dataHome: String
  /// `$XDG_CONFIG_HOME/reveille`
  public let configuration: String
  /// `$XDG_DATA_HOME/reveille`
  public let data: String
  /// `$XDG_RUNTIME_DIR/reveille`, or what stands in for it.
  public let runtime: String
  /// True where `runtime` is a folder under /tmp, whose owner must be checked before use.
  public let runtimeIsShared: Bool
  /// The program's own file.
  public let executable: String

  public init(environment: [String: String], executable: String) {
    let user = getuid()
    func folder(_ key: String) -> String? { environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    home = folder("HOME") ?? Paths.homeOfUser(user) ?? "/"
    configurationHome = folder("XDG_CONFIG_HOME") ?? home + "/.config"
    configuration = configurationHome + "/reveille"
    dataHome = folder("XDG_DATA_HOME") ?? home + "/.local/share"
    data = dataHome + "/reveille"
    if let given = folder("XDG_RUNTIME_DIR") {
      runtime = given + "/reveille"
      runtimeIsShared = false
    } else if access("/run/user/\(user)", W_OK) == 0 {
      runtime = "/run/user/\(user)/reveille"
      runtimeIsShared = false
    } else {
      runtime = "/tmp/reveille-\(user)"
      runtimeIsShared = true
    }
    self.executable = executable
  }

  /// From the process's own environment and `/proc/self/exe`.
  public static func current() -> Paths {
    Paths(environment: currentEnvironment(), executable: currentExecutable())
  }

  public var settingsFile: String { configuration + "/config.json5" }
  public var database: String { data + "/reveille.db" }
  public var lock: String { data + "/engine.lock" }
  public var socket: String { runtime + "/engine.sock" }
  public var log: String { data + "/engine.log" }
  /// Folders in which a service manager of the user looks for units: ours, and the one it looks in where its own
  /// environment names none.
  public var unitFolders: [String] {
    [configurationHome, home + "/.config"].map { $0 + "/systemd/user" }
  }

  /// Folders that may hold the program's sounds, best first: one's own, the installed ones, those beside the package.
  public var soundFolders: [String] {
    var folders = [data + "/sounds"]
    let parts = executable.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.count > 2 { folders.append(parts.dropLast(2).joined(separator: "/") + "/share/reveille/sounds") }
    // A build lies in .build/<something>/alarm below the package.
    if let build = parts.lastIndex(of: ".build") {
      folders.append(parts[..<build].joined(separator: "/") + "/Sounds")
    }
    return folders
  }

  /// Makes the runtime folder, 0700, and checks that it is a folder of our own: in /tmp anybody may have made it, or a
  /// link to somewhere else.
  public func makeRuntimeFolder() throws(SystemError) {
    try Paths.makePrivateFolder(runtime, mayBeLink: false)
  }
  public func makeDataFolder() throws(SystemError) { try Paths.makePrivateFolder(data) }
  /// Where the settings file is to lie, so that its coming can be watched for.
  public func makeConfigurationFolder() throws(SystemError) { try Paths.makePrivateFolder(configuration) }

  /// Makes a folder, with those above it, that is open to nobody else, where it is missing; refuses another user's.
  ///
  /// - Parameter mayBeLink: people keep data and settings elsewhere and link to them from here.
  public static func makePrivateFolder(_ path: String, mayBeLink: Bool = true) throws(SystemError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        let code = errno
        // A parent that exists but may not be written answers EROFS or EACCES before EEXIST.
        if access(made, F_OK) != 0 {
          throw SystemError("cannot make the folder “\(clean(made))”", code: code)
        }
      }
    }
    var status = stat()
    try check("cannot look at the folder “\(clean(path))”") {
      mayBeLink ? stat(path, &status) : lstat(path, &status)
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
      throw SystemError("“\(clean(path))” is not a folder of your own", code: EPERM)
    }
    if status.st_mode & 0o077 != 0, path.hasSuffix("/reveille") || path.hasPrefix("/tmp/reveille-") {
      try check("cannot close the folder “\(clean(path))” to others") { chmod(path, 0o700) }
    }
  }

  private static func homeOfUser(_ user: uid_t) -> String? {
    guard let entry = getpwuid(user), let folder = entry.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }
}

/// The environment as a dictionary; a name without `=` is left out.
public func currentEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  guard var entry = reveille_environ() else { return result }
  while let pair = entry.pointee {
    let text = String(cString: pair)
    if let equals = text.firstIndex(of: "=") {
      result[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    entry += 1
  }
  return result
}

/// The file of the running program.
public func currentExecutable() -> String {
  var buffer = [CChar](repeating: 0, count: 4096)
  let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
  guard count > 0 else { return "alarm" }
  return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
