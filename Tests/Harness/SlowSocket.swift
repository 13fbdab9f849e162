import Glibc
import Platform

/// A socket behind which a server's answers are late: what is said to the server goes there at once, what it says waits.
///
/// A Python program in the folder given; it is ended when this goes. Any thread, one at a time.
public final class SlowSocket {
  /// libpulse's name of it.
  public let name: String
  private let process: pid_t
  private let file: FileName
  private let folder: TemporaryFolder

  /// `server`: where it leads, as `unix:PATH`.
  public init(to server: String, in folder: TemporaryFolder) throws {
    self.folder = folder
    file = folder.file("delay")
    let socket = "\(folder.path)/slow"
    name = "unix:\(socket)"
    try folder.write(Array("0".utf8), to: file)
    process = try spawn(
      ["python3", "-c", SlowSocket.program, socket, String(server.drop { $0 != "/" }), file.text],
      environment: ["PATH": "/usr/bin:/bin"])
    try wait(until: "the slow socket") { access(socket, F_OK) == 0 }
  }

  deinit {
    kill(process, SIGKILL)
    _ = waitpid(process, nil, 0)
  }

  /// From now on every answer waits so long.
  public func delay(milliseconds: Int) throws {
    try folder.write(Array("\(milliseconds)".utf8), to: folder.file("delay.new"))
    try check("cannot rename") { rename(folder.file("delay.new").text, file.text) }
  }

  private static let program = """
    import os, socket, sys, threading, time
    own, server, file = sys.argv[1:]

    def copy(source, target, waits):
        try:
            while data := source.recv(65536):
                if waits:
                    time.sleep(int(open(file).read()) / 1000)
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(own + ".new")
    listener.listen()
    os.rename(own + ".new", own)
    while True:
        client, _ = listener.accept()
        other = socket.socket(socket.AF_UNIX)
        other.connect(server)
        threading.Thread(target=copy, args=(client, other, False), daemon=True).start()
        threading.Thread(target=copy, args=(other, client, True), daemon=True).start()
    """
}
