import Audio
import Testing

@Suite("Whether the output is trusted to be heard")
struct HearingTests {
  private static let full = 65_536

  private static func level(_ percent: Int, muted: Bool = false) -> OutputLevel {
    OutputLevel(isMuted: muted, volumes: [full * percent / 100, full * percent / 100], full: full)
  }

  private static func view(
    sink percent: Int = 100, muted: Bool = false, stream: Int = 100, streamMuted: Bool = false,
    _ change: (inout ServerView.Sink) -> Void = { _ in }
  ) -> OutputView {
    var sink = ServerView.Sink(
      name: "speaker", description: "The speaker", level: level(percent, muted: muted))
    change(&sink)
    var server = ServerView()
    server.defaultSink = "speaker"
    server.sinks = [sink]
    server.streams = [.init(index: 7, sink: "speaker", level: level(stream, muted: streamMuted))]
    return OutputView(device: "default", isOpen: true, server: server)
  }

  @Test("A real sink that is on and loud enough is trusted, and so is what nobody can be asked about")
  func trusted() {
    for view in [
      HearingTests.view(), HearingTests.view(sink: 30), HearingTests.view(sink: 60, stream: 60),
      OutputView(device: "default", isOpen: true),
      OutputView(device: "tcp", isOpen: true, server: ServerView()),
    ] {
      let hearing = view.judge(leastVolume: 30)
      #expect(hearing.isTrusted, "\(hearing.sentence)")
      #expect(hearing.sentence == "")
    }
  }

  @Test(
    "What cannot be mended by a volume is doubted with a sentence that says why",
    arguments: [
      ("null", false, "leads nowhere"), ("unplugged", false, "nothing is plugged into “The speaker”"),
      ("headphones", true, "headphones"), ("bluetooth", true, "Bluetooth"),
    ])
  func doubted(_ what: String, _ isAudible: Bool, _ words: String) {
    let hearing = HearingTests.view { sink in
      switch what {
      case "null": sink.isNull = true
      case "unplugged": sink.isUnplugged = true
      default: sink.kind = .init(rawValue: what) ?? .other
      }
    }.judge(leastVolume: 30)
    #expect(!hearing.isTrusted)
    #expect(hearing.isAudible == isAudible)
    #expect(hearing.sentence.contains(words), "\(hearing.sentence)")
    #expect(hearing.raises.isEmpty)
  }

  @Test("A server without any sink is heard by nobody")
  func noSink() {
    let hearing = OutputView(device: "default", isOpen: false, server: ServerView()).judge(leastVolume: 30)
    #expect(!hearing.isAudible)
    #expect(hearing.sentence.contains("no output"))
  }

  @Test("Muted or too low is to be raised to exactly the least volume, and what is loud enough only unmuted")
  func raises() {
    let muted = HearingTests.view(sink: 80, muted: true).judge(leastVolume: 30)
    #expect(muted.raises.map(\.control) == [.sink("speaker")])
    #expect(muted.raises.first?.after == HearingTests.level(80))
    #expect(muted.sentence == "“The speaker” is muted")
    let low = HearingTests.view(sink: 5).judge(leastVolume: 30)
    #expect(low.raises.first?.after.percent.map { ($0 * 10).rounded() } == 300)
    #expect(low.sentence == "“The speaker” stands at only 5 %")
    let stream = HearingTests.view(streamMuted: true).judge(leastVolume: 30)
    #expect(stream.raises.map(\.control) == [.stream(sink: "speaker")])
    // 40 % of 40 % is 16 %.
    let both = HearingTests.view(sink: 40, stream: 40).judge(leastVolume: 30)
    #expect(both.raises.map(\.control) == [.stream(sink: "speaker")])
    #expect(both.raises.first?.after.percent.map { $0.rounded() } == 75)
  }

  @Test("The balance between the channels stays, and silence in all of them becomes the same in all")
  func balance() {
    var view = HearingTests.view()
    view.server?.sinks[0].level.volumes = [2000, 1000]
    #expect(view.judge(leastVolume: 30).raises.first?.after.volumes == [19_661, 9831])
    view.server?.sinks[0].level.volumes = [0, 0]
    #expect(view.judge(leastVolume: 30).raises.first?.after.volumes == [19_661, 19_661])
  }

  @Test("A least volume of 0 raises no volume, but unmutes")
  func zero() {
    #expect(HearingTests.view(sink: 1).judge(leastVolume: 0).isTrusted)
    #expect(HearingTests.view(sink: 1, muted: true).judge(leastVolume: 0).raises.count == 1)
  }

  @Test(
    "A card's knobs are judged where the device goes straight to it; headphones only where there is no speaker"
  )
  func card() {
    func knob(_ name: String, _ value: Int, muted: Bool? = false) -> CardView.Knob {
      CardView.Knob(
        name: name, index: 0, level: OutputLevel(isMuted: muted, volumes: [value], full: 87),
        percent: Double(value) * 100 / 87, least: 27)
    }
    let card = CardView(
      control: "hw:0",
      knobs: [
        knob("Master", 87, muted: true), knob("PCM", 10, muted: nil), knob("Speaker", 87),
        knob("Headphone", 0),
      ])
    let hearing = OutputView(device: "hw:0", isOpen: true, card: card).judge(leastVolume: 30)
    #expect(
      hearing.raises.map(\.control) == [
        .card("hw:0", knob: "Master", index: 0), .card("hw:0", knob: "PCM", index: 0),
      ])
    #expect(hearing.raises.map(\.after.volumes) == [[87], [27]])
    #expect(
      hearing.sentence == "“Master” of the sound card is muted; “PCM” of the sound card stands at only 11 %")
  }

  @Test(
    "The card behind a device's name",
    arguments: [
      ("hw:0", "hw:0"), ("plughw:CARD=PCH,DEV=0", "hw:PCH"), ("hw:1,3", "hw:1"), ("front:CARD=USB", "hw:USB"),
      ("default", nil), ("pulse", nil), ("bluealsa:DEV=00", nil), ("hw:", nil),
    ])
  func control(_ name: String, _ control: String?) {
    #expect(CardMixer.control(ofDevice: name) == control)
  }

  @Test("Controls and levels come back from their text")
  func codes() {
    for control: LevelControl in [
      .sink("alsa_output.pci-0000_00_1f.3.analog-stereo"), .sink("a|b c"), .stream(sink: "x"),
      .card("hw:PCH", knob: "Master Mono", index: 1),
    ] {
      #expect(LevelControl(code: control.code) == control)
    }
    for level in [HearingTests.level(5, muted: true), OutputLevel(isMuted: nil, volumes: [], full: 0)] {
      #expect(OutputLevel(code: level.code) == level)
    }
    for text in ["", "sink", "card|x|y", "stream"] { #expect(LevelControl(code: text) == nil) }
    for text in ["", "on", "perhaps 1", "on 1 x"] { #expect(OutputLevel(code: text) == nil) }
  }
}
