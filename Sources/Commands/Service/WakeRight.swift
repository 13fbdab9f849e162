import Engine
import Platform

/// The right to wake the machine that the helper `alarm-wake` has by its file, given and taken by root alone (setcap(8)).
struct WakeRight {
  let path: String
  let outside: Surroundings

  init(_ path: String, _ outside: Surroundings) { (self.path, self.outside) = (path, outside) }

  var isGiven: Bool { WakeCapability.isSet(on: path) }
  /// What gives it, for a shell of root's.
  var givingLine: String { "setcap \(WakeCapability.words) \(WakeRight.quoted(path))" }
  /// What takes it away again.
  var takingLine: String { "setcap -r \(WakeRight.quoted(path))" }

  /// What stands in the way as the rest of a sentence; nil where it is given.
  func give() -> String? { run(["setcap", WakeCapability.words, path], givingLine) { isGiven } }
  /// The same for taking it away.
  func take() -> String? { run(["setcap", "-r", path], takingLine) { !isGiven } }

  /// As root it is run as it is, else through sudo, which asks for the password where somebody sits at the terminal.
  private func run(_ words: [String], _ line: String, _ isDone: () -> Bool) -> String? {
    do throws(SystemError) {
      if !outside.isRoot, outside.inputIsTerminal, outside.errorIsTerminal {
        outside.ask("sudo \(clean(line))\n")
        let status = try outside.runAtTerminal(["sudo"] + words)
        return isDone() ? nil : "sudo ended with status \(status.shellStatus)"
      }
      let result = try outside.runTool((outside.isRoot ? [] : ["sudo", "-n"]) + words)
      return isDone() ? nil : result.reason
    } catch {
      let hint = outside.isRoot ? " (Debian has it in libcap2-bin)" : ""
      return "\(error)\(hint)"
    }
  }

  /// Whether the helper may set the machine's clock, from its own mouth; nil where it says nothing to be understood.
  func trial() -> WakeAnswer? {
    // Its input ends at once, and it with it.
    let result = try? outside.runTool(["/bin/sh", "-c", "echo off | \"$0\"", path])
    return result?.output.split(separator: "\n").first.flatMap { WakeAnswer(Array($0.utf8)) }
  }

  /// A word for a shell, with quotation marks only where they are needed.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || "/._-+".utf8.contains($0)
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
