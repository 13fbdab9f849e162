import Glibc
import Platform

/// A file that nobody can open for as long as this is there, as on a disk that hangs: the kernel asks a program of ours
/// whether it may be opened (fanotify(7), `FAN_OPEN_PERM`), and that does not answer. What waits goes on when this goes.
/// Needs the rights of root. Any thread.
public final class HeldFile {
  private var holder: pid_t = 0

  private static let script = """
    import ctypes, os, sys, time
    libc = ctypes.CDLL(None, use_errno=True)
    def check(code):
      if code < 0: sys.exit(os.strerror(ctypes.get_errno()))
      return code
    group = check(libc.fanotify_init(4, os.O_RDONLY))  # FAN_CLASS_CONTENT
    check(libc.fanotify_mark(group, 1, ctypes.c_uint64(0x10000), -100, os.fsencode(sys.argv[1])))
    print("holds", flush=True)
    while True: time.sleep(3600)
    """

  /// Whether this kernel lets us: it needs root's rights, and a container may keep them back.
  public static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let path = folder.path + "/probe"
    return (try? Descriptor.open(path, O_WRONLY | O_CREAT)) != nil && (try? HeldFile(path)) != nil
  }()

  /// Comes back once the file is held.
  public init(_ path: String) throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND)
    holder = try spawn(
      ["/usr/bin/python3", "-c", HeldFile.script, path],
      descriptors: [(1, output.number), (2, output.number)])
    let said = try wait(for: "the file to be held") { () -> String? in
      let text = String(decoding: try readFile(log), as: UTF8.self)
      return text.isEmpty ? nil : text
    }
    guard said == "holds\n" else { throw RunError(description: "\(path) cannot be held: \(said)") }
  }

  public func release() {
    if holder != 0 { endProcess(holder, SIGKILL) }
    holder = 0
  }

  deinit { release() }
}
