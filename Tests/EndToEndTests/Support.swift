import FoundationEssentials
import Harness
import Platform
import Schedule
import Testing
import Wire

extension World {
  /// What `alarm status --json` prints; the engine must be running.
  func status() throws -> Status { try decode(Status.self, from: try must("status", "--json")) }

  func list() throws -> [AlarmEntry] { try decode([AlarmEntry].self, from: try must("list", "--json")) }

  /// Waits until the status answers `condition`.
  @discardableResult
  func waitForStatus(_ what: String, within deadline: Duration = .seconds(15), _ condition: (Status) -> Bool)
    throws
    -> Status
  {
    var last: Status?
    do {
      return try wait(for: what, within: deadline, every: .milliseconds(40)) {
        let status = try self.status()
        last = status
        return condition(status) ? status : nil
      }
    } catch let timeout as Timeout {
      throw Timeout(
        description: "\(timeout.description); the status was \(String(describing: last)); log: \(log)")
    }
  }

  /// A sine as a WAV file in the world's folder.
  func makeTone(_ name: String = "tone.wav", seconds: Double = 5, hertz: Int = 440, rate: Int = 48_000) throws
    -> String
  {
    let path = folder.path + "/" + name
    try runOrThrow([
      "sox", "-n", "-r", "\(rate)", "-c", "2", "-b", "16", path, "synth", "\(seconds)", "sine", "\(hertz)",
      "vol", "0.5",
    ])
    return path
  }

  /// The engine's process id as it says itself.
  func enginePID() throws -> Int32 { try status().engine.pid }
}

func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(text.utf8))
}

/// The wall clock in microseconds of an ISO instant.
func microseconds(_ iso: String?) throws -> Int64 {
  try #require(iso.flatMap { Instant(iso: $0) }).microseconds
}

/// A process that exists and is not a zombie.
func isAlive(_ process: Int32) -> Bool {
  guard let bytes = try? readFile("/proc/\(process)/stat") else { return false }
  let state = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
  return state != "Z" && state != nil
}

/// Now, by the wall clock.
func wallMicroseconds() -> Int64 { Clocks.wallMicroseconds() }
