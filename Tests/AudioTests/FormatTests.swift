import CALSA
import Glibc
import Harness
import Platform
import Testing

@testable import Audio

@Suite("Sample formats and channels", .serialized)
struct FormatTests {
  @Test(
    "Every format takes the best it can of a sample, and one least bit is one least bit",
    arguments: SampleFormat.allCases)
  func conversion(format: SampleFormat) {
    let samples: [Float] = [0, 0.5, -0.5, 1, -1, 1.5, -1.5, 0x1p-15, -0x1p-23, .nan]
    var bytes = [UInt8](repeating: 0xee, count: samples.count * 4 + 4)
    var noise: UInt32 = 1
    bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      format.convert(samples, to: base, count: samples.count, dither: false, noise: &noise)
    }
    #expect(bytes[(samples.count * format.size)...].allSatisfy { $0 == 0xee })
    #expect((snd_pcm_format_physical_width(format.alsa) + 7) / 8 == Int32(format.size))
    if format == .float {
      let back = bytes.withUnsafeBytes { raw in
        samples.indices.map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
      }
      #expect(back.dropLast().elementsEqual(samples.dropLast()))
      return
    }
    let back = samples.indices.map { word(bytes, $0, format) }
    let full = Int64(1) << Int64(format.bits - 1)
    #expect(back[..<7].elementsEqual([0, full / 2, -full / 2, full - 1, -full, full - 1, -full]))
    #expect(back[7] == full >> 15)
    #expect(back[8] == (format.bits >= 24 ? -(full >> 23) : 0))
    #expect(back[9] == 0)
    bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      format.put(1, to: base, at: 0)
      format.put(-1, to: base, at: 1)
    }
    #expect(word(bytes, 0, format) == 1)
    #expect(word(bytes, 1, format) == -1)
  }

  private func word(_ bytes: [UInt8], _ index: Int, _ format: SampleFormat) -> Int64 {
    let size = format.size
    var value: Int64 = 0
    for byte in 0..<size { value |= Int64(bytes[index * size + byte]) << Int64(8 * byte) }
    let bits = Int64(8 * size)
    return (value << (64 - bits)) >> (64 - bits)
  }

  @Test("A device with channels in another order gets the samples in that order")
  func permutations() {
    let (left, right, centre, low, rearLeft, rearRight) = (
      SND_CHMAP_FL.rawValue, SND_CHMAP_FR.rawValue, SND_CHMAP_FC.rawValue, SND_CHMAP_LFE.rawValue,
      SND_CHMAP_RL.rawValue, SND_CHMAP_RR.rawValue
    )
    // As HDA cards have it.
    #expect(
      ChannelOrder.permutation(of: [left, right, rearLeft, rearRight, centre, low]) == [0, 1, 4, 5, 2, 3])
    #expect(ChannelOrder.permutation(of: [left, right, centre, low, rearLeft, rearRight]) == nil)
    #expect(ChannelOrder.permutation(of: [right, left]) == [1, 0])
    #expect(ChannelOrder.permutation(of: [left, left]) == nil)
    #expect(ChannelOrder.permutation(of: [left, SND_CHMAP_TC.rawValue]) == nil)
    for channels in 1...8 { #expect(ChannelOrder.positions(channels)?.count == channels) }
  }

  @Test(
    "Each channel of a file is heard from the speaker it is meant for",
    arguments: [
      (1, "mono"), (2, "front-left,front-right"),
      (6, "front-left,front-right,front-center,lfe,rear-left,rear-right"),
      (8, "front-left,front-right,front-center,lfe,rear-left,rear-right,side-left,side-right"),
    ])
  func speakers(channels: Int, map: String) throws {
    let server = try PulseServer()
    // The sink has an order of its own, so that only names can have brought it right.
    let shuffled = map.split(separator: ",").reversed().joined(separator: ",")
    try server.addSink("room", channels: channels, map: shuffled)
    try server.folder.write(
      Array("pcm.!default { type pulse }\npcm.room { type pulse device room }\n".utf8),
      to: server.folder.file("home/.asoundrc"))
    var samples: [Int16] = []
    for frame in 0..<48_000 * 6 {
      for channel in 0..<channels {
        samples.append(Int16(8000 * sin(2 * .pi * Double(400 + 300 * channel) * Double(frame) / 48_000)))
      }
    }
    let music = try server.folder.write(
      wav(samples, rate: 48_000, channels: channels), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment, "device=room")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(coldStart)
    #expect(try probe.status()["channels"] == "\(channels)")
    let recording = try server.record("room", channels: channels, map: map)
    letPass(1)
    for channel in 0..<channels {
      let heard = try recording.stop(channel: channel).suffix(24_000)
      for other in 0..<channels {
        let level = strength(Double(400 + 300 * other), in: heard)
        #expect(
          other == channel ? level > 0.2 : level < 0.005, "channel \(channel), tone \(other): \(level)")
      }
    }
    try probe.quit()
  }
}
