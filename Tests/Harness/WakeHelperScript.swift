import Glibc
import Platform

/// Programs that stand in for the helper `alarm-wake`, in a shell: what it says where a machine has a clock that wakes it,
/// and what no helper should do.
public enum WakeHelperScript {
  /// Says that it has set what it is told, and keeps its own process id in `PATH.pid` and each second in `PATH.armed`.
  public static let obeys = """
    echo $$ >"$0.pid"
    while read -r word second; do
      case $word in
        off) echo off ;;
        wake) echo "$second" >>"$0.armed"; echo "armed $second" ;;
      esac
    done
    """
  /// Neither reads nor answers.
  public static let hangs = "echo $$ >\"$0.pid\"\nexec sleep 1000"

  /// Writes one to `path`. By another process, so that none of ours has it open when it is to be run (ETXTBSY).
  public static func put(_ body: String, at path: String) throws {
    try runOrThrow(["install", "-m", "700", "/dev/stdin", path], input: Array("#!/bin/sh\n\(body)\n".utf8))
  }

  /// The process that runs what was put at `path`; nil until it has begun.
  public static func process(_ path: String) -> pid_t? { lines(path + ".pid").first.flatMap { pid_t($0) } }
  /// What it was told to set.
  public static func armed(_ path: String) -> [Int64] { lines(path + ".armed").compactMap { Int64($0) } }

  private static func lines(_ path: String) -> [Substring] {
    ((try? readFile(path)).map { String(decoding: $0, as: UTF8.self) } ?? "").split(separator: "\n")
  }
}
