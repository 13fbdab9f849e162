import CLinux
import Glibc
import Platform

/// A terminal that is none of tmux's: a program in a pseudo-terminal whose bytes are kept, and drawn by pyte, an emulator
/// written by others (`Tests/Emulator/emulator.py`).
///
/// The program is killed when the last reference goes. Calls block; waits have a deadline and throw with what is shown. Any
/// one thread at a time.
public final class Emulator: Sendable {
  /// What the terminal is like.
  public enum Kind: String, Sendable {
    case usual = ""
    /// It has kitty's keyboard protocol and synchronized output, and says so.
    case kitty = "--kitty"
    /// It counts bytes and draws nothing.
    case plain = "--plain"
  }

  public struct Cell: Hashable, Sendable {
    public var text: String
    /// A name such as `cyan` or `default`, or six hexadecimal digits.
    public var foreground: String
    public var background: String
    public var isBold: Bool
    public var isUnderlined: Bool
    public var isReversed: Bool
  }

  public struct Screen: Sendable {
    public var lines: [String]
    public var cells: [[Cell]]
    public var cursor: (column: Int, row: Int, isShown: Bool)
  }

  public struct Modes: Sendable, Equatable {
    public var on: Set<String>
    public var kitty: [Int]
    /// The terminal's own settings, as termios(3) has them.
    public var settings: String
  }

  private let process: pid_t
  private let socket: Int32

  /// Opens a terminal of that size and runs `words` in it; `environment` is the program's own, with TERM.
  public init(
    _ kind: Kind = .usual, columns: Int = 80, rows: Int = 24, running words: [String],
    environment: [String: String]
  ) throws {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw RunError(description: "no pair of sockets can be made")
    }
    for end in ends { _ = reveille_set_cloexec(end) }
    socket = ends[0]
    let script =
      #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Emulator/emulator.py"
    let options = kind == .usual ? [] : [kind.rawValue]
    process = try spawn(
      ["/usr/bin/python3", script, "\(columns)", "\(rows)"] + options + ["--"] + words,
      environment: environment,
      descriptors: [(0, ends[1]), (1, ends[1])])
    close(ends[1])
  }

  deinit {
    // It ends the program and itself when nobody listens any more.
    close(socket)
    _ = waitpid(process, nil, 0)
  }

  // MARK: - The keyboard and the window

  /// Types text, or any bytes.
  public func type(_ text: String) throws { try send(Array(text.utf8)) }

  public func send(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    let digits = Array("0123456789abcdef")
    try ask("send " + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
  }

  public func resize(columns: Int, rows: Int) throws { try ask("resize \(columns) \(rows)") }

  /// Takes nothing more, as after Ctrl-S, until it goes on.
  public func stop() throws { try ask("stop") }
  public func goOn() throws { try ask("go-on") }

  // MARK: - What it shows

  public func screen() throws -> Screen {
    let lines = String(decoding: try ask("screen"), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let place = lines[0].split(separator: " ").compactMap { Int($0) }
    let rows = (lines.count - 1) / 2
    let cells = lines.suffix(rows).map { line in
      line.split(separator: "\u{1f}", omittingEmptySubsequences: false).map { cell in
        let parts = cell.split(separator: "\u{1e}", omittingEmptySubsequences: false).map(String.init)
        return Cell(
          text: parts[0], foreground: parts[1], background: parts[2], isBold: parts[3].contains("bold"),
          isUnderlined: parts[3].contains("underlined"), isReversed: parts[3].contains("reversed"))
      }
    }
    return Screen(
      lines: Array(lines[1...rows]), cells: cells, cursor: (place[0], place[1], place[2] == 1))
  }

  /// The text alone, which is asked for again and again where something is waited for.
  public func lines() throws -> [String] {
    String(decoding: try ask("lines"), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  public func modes() throws -> Modes {
    let lines = String(decoding: try ask("modes"), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return Modes(
      on: Set(lines[0].split(separator: " ").map(String.init)),
      kitty: lines[1].split(separator: " ").compactMap { Int($0) }, settings: String(lines[2]))
  }

  /// What was written since this was last asked.
  public func bytes() throws -> [UInt8] { try ask("bytes") }

  public func count() throws -> Int { Int(String(decoding: try ask("count"), as: UTF8.self)) ?? 0 }

  /// How the program ended, as a shell has it with a minus for a signal; nil while it runs.
  public func status() throws -> Int32? { Int32(String(decoding: try ask("status"), as: UTF8.self)) }

  /// The process of the program.
  public func pid() throws -> pid_t {
    let found = String(decoding: try runOrThrow(["pgrep", "-P", "\(process)"]), as: UTF8.self)
    guard let pid = pid_t(found.split(separator: "\n").first.map(String.init) ?? "") else {
      throw RunError(description: "the program is gone")
    }
    return pid
  }

  public func wait(for text: String, within deadline: Duration = .seconds(20)) throws {
    try wait(until: "“\(text)” is shown", within: deadline) { $0.contains { $0.contains(text) } }
  }

  public func wait(
    until what: String, within deadline: Duration = .seconds(20), _ condition: ([String]) throws -> Bool
  ) throws {
    let end = ContinuousClock.now + deadline
    while true {
      let shown = try lines()
      if try condition(shown) { return }
      if ContinuousClock.now >= end {
        throw RunError(
          description: "after \(deadline) it is not so that \(what); the terminal shows:\n"
            + shown.joined(separator: "\n"))
      }
      usleep(20_000)
    }
  }

  // MARK: - Talking to it

  @discardableResult
  private func ask(_ command: String) throws -> [UInt8] {
    let bytes = Array((command + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw RunError(description: "the emulator has ended") }
      sent += count
    }
    var head: [UInt8] = []
    while true {
      let byte = try read(1)[0]
      if byte == 0x0a { break }
      head.append(byte)
    }
    return try read(Int(String(decoding: head, as: UTF8.self)) ?? 0)
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      let got = recv(socket, &buffer, min(buffer.count, count - bytes.count), 0)
      guard got > 0 else { throw RunError(description: "the emulator has ended") }
      bytes += buffer[..<got]
    }
    return bytes
  }
}
