import Audio
import Glibc
import Platform

/// Asks the sound server of its own environment once and prints what it learns, a line a fact: libpulse and alsa-lib take
/// their way from the process. Words: the process whose streams are ours, the least volume, ALSA's name of the device,
/// and `raise` to raise what is found too low, or `back CONTROL SET BEFORE` to put it back.
@main
struct HearingProbe {
  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 4, let process = Int32(words[1]), let least = Int(words[2]) else { exit(2) }
    let start = Clocks.monotonicMicroseconds()
    let visit = OutputVisit(process: process)
    func tell() {
      let view = visit.view(device: words[3], isOpen: process > 0, leastVolume: least)
      let hearing = view.judge(leastVolume: least)
      print("server \(view.server?.server ?? "none")")
      for sink in view.server?.sinks ?? [] {
        print("sink \(sink.name) \(sink.kind.rawValue) null=\(sink.isNull) level=\(sink.level.code)")
      }
      for stream in view.server?.streams ?? [] { print("stream \(stream.sink) \(stream.level.code)") }
      for knob in view.card?.knobs ?? [] {
        print("knob \(knob.name) \(knob.level.code) percent=\(Int(knob.percent ?? -1)) least=\(knob.least)")
      }
      print("audible \(hearing.isAudible)")
      print("trusted \(hearing.isTrusted)")
      print("sentence \(hearing.sentence)")
      for raise in hearing.raises {
        print("raise \(raise.control.code) \(raise.before.code) to \(raise.after.code)")
      }
    }
    if words.count > 4, words[4] == "raise" {
      let hearing = visit.view(device: words[3], isOpen: process > 0, leastVolume: least).judge(
        leastVolume: least)
      print("raised \(visit.raise(hearing.raises).count)")
    }
    if words.count > 7, words[4] == "back", let control = LevelControl(code: words[5]),
      let set = OutputLevel(code: words[6]), let before = OutputLevel(code: words[7])
    {
      print("outcome \(visit.putBack(control, from: set, to: before))")
    } else {
      tell()
    }
    print("took \((Clocks.monotonicMicroseconds() - start) / 1000)")
  }
}
