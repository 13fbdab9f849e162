import Glibc
import Harness
import Platform
import Testing

@Suite("Where things lie")
struct PathTests {
  @Test("Each folder follows its variable, and a relative one counts as not set")
  func variables() {
    let set = Paths(
      environment: [
        "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "/r",
      ], executable: "/usr/bin/alarm")
    #expect(set.settingsFile == "/c/reveille/config.json5")
    #expect(set.database == "/d/reveille/reveille.db")
    #expect(set.lock == "/d/reveille/engine.lock")
    #expect(set.socket == "/r/reveille/engine.sock")
    #expect(!set.runtimeIsShared)
    #expect(set.soundFolders == ["/d/reveille/sounds", "/usr/share/reveille/sounds"])
    let unset = Paths(
      environment: ["HOME": "/h", "XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "", "XDG_RUNTIME_DIR": "./r"],
      executable: "/src/.build/release/alarm")
    #expect(unset.configuration == "/h/.config/reveille")
    #expect(unset.data == "/h/.local/share/reveille")
    #expect(unset.runtime != "./r/reveille")
    #expect(unset.soundFolders.last == "/src/Sounds")
  }

  @Test("A program is a file that can be run, and no folder")
  func programs() {
    #expect(isProgram("/bin/sh") && isProgram("sh"))
    for name in ["/bin", "/etc/passwd", "/no/such", "no-such-program"] {
      #expect(!isProgram(name), "\(name)")
    }
  }

  @Test("A folder of our own is made closed to others, and one that is another's or a link is refused")
  func folders() throws {
    let folder = try TemporaryFolder()
    func paths(_ runtime: String) -> Paths {
      Paths(environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path + runtime], executable: "/x")
    }
    try paths("/a/b").makeRuntimeFolder()
    var status = stat()
    #expect(lstat(folder.path + "/a/b/reveille", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    chmod(folder.path + "/a/b/reveille", 0o755)
    try paths("/a/b").makeRuntimeFolder()
    #expect(lstat(folder.path + "/a/b/reveille", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    mkdir(folder.path + "/c", 0o700)
    symlink("/tmp", folder.path + "/c/reveille")
    let error = #expect(throws: SystemError.self) { try paths("/c").makeRuntimeFolder() }
    #expect(error?.description.contains("not a folder of your own") == true)
  }

  @Test("A file is replaced whole, with its mode")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/f"
    try replaceFile(path, with: Array("one".utf8))
    try replaceFile(path, with: Array("two".utf8))
    #expect(try readFile(path) == Array("two".utf8))
    #expect(try readFile(path, limit: 2) == Array("tw".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let error = #expect(throws: SystemError.self) { try readFile(path + "/none") }
    #expect(error?.description.contains(path) == true)
  }
}
