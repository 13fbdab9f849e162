import Glibc
import Harness
import Platform

/// What the engine does when there is nothing to do: context switches of all its threads, its parent's too.
enum RestBench {
  static func run() throws {
    let world = try World(sound: .pulse, settings: #"{ keepAlive: { when: "lease" } }"#)
    for number in 0..<10 { try world.must("add", "mon-fri 0\(number):00", "--label", "Alarm \(number)") }
    let processes = world.processes()
    // What starting has set going (a backup, a look at the sounds) is over when two looks three seconds apart see the same.
    var before = switches(processes)
    for _ in 0..<10 {
      sleep(3)
      let now = switches(processes)
      if now == before { break }
      before = now
    }
    sleep(10)
    Bench.row(
      "context switches in 10 s, ten alarms, nothing playing", "\(switches(processes) - before)", toReach: "0"
    )
    Bench.row(
      "resident at rest, engine and parent",
      processes.map { "\(resident($0) / 1024) MiB" }.joined(separator: ", "))
  }

  /// Voluntary and other switches of every thread of these processes.
  static func switches(_ processes: [pid_t]) -> Int {
    var sum = 0
    for process in processes {
      for task in listFolder("/proc/\(process)/task") {
        for (key, value) in fields("/proc/\(process)/task/\(task)/status")
        where key.hasSuffix("ctxt_switches") {
          sum += value
        }
      }
    }
    return sum
  }

  /// Resident memory in KiB.
  static func resident(_ process: pid_t) -> Int {
    fields("/proc/\(process)/status").first { $0.0 == "VmRSS" }?.1 ?? 0
  }

  /// The numbers of a `Name: number` file of /proc.
  static func fields(_ path: String) -> [(String, Int)] {
    guard let bytes = try? readFile(path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
      guard parts.count >= 2, let value = Int(parts[1]) else { return nil }
      return (String(parts[0]), value)
    }
  }
}
