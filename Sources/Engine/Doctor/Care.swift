import Glibc
import Platform
import Wire

func thisProcess() -> Int32 { getpid() }

/// The process that started this one is the tiny parent (`Supervisor`).
func isParent(_ executable: String) -> Bool {
  guard let line = try? readFile("/proc/\(getppid())/cmdline", limit: 4096) else { return false }
  let words = line.split(separator: 0, omittingEmptySubsequences: false).map {
    String(decoding: $0, as: UTF8.self)
  }
  return words.dropLast().elementsEqual([executable] + Connect.backgroundWords)
}
