import CPulse
import Glibc
import Platform

/// A stream at PulseAudio, given what it plays through its own library and on its output's own thread.
///
/// ALSA's `pulse` plugin would do the same with a second thread, which every period that the server takes wakes, and every
/// frame that is given twice: more work than decoding and mixing together. Here what the server has to say waits until
/// there is something to be done anyway. What the plugin waits for is waited for here too, so a server that hangs holds up
/// this thread as it would there, and the output is abandoned.
final class PulseStream: OpenDevice {
  let name: String
  let format: StreamFormat
  /// The server mixes floats, and ours need no conversion for them.
  let formatName = "FLOAT_LE"
  let kind = DeviceKind.server("PulseAudio")
  let isPacedByClock = false
  let step: Int
  private(set) var bufferFrames: Int
  private(set) var given: Int64 = 0
  private let connection: PulseConnection
  private let sink: String?
  private var stream: OpaquePointer
  private var isStarted = false
  private var times: DeviceLine
  /// The sink of which it was asked how much it renders at once, and others may want that otherwise since.
  private var asked: UInt32?
  /// The question for the time that is under way, and since when (µs).
  private var question: (operation: OpaquePointer, since: Int64)?
  /// Frames that the server has not been given yet, the first at the front.
  private let samples: UnsafeMutablePointer<Float>
  private var pending = 0
  private static let batch = 8192
  private static let sample = SampleFormat.float
  /// One step of the least of 16 bits, which any sink has: what it has in truth nobody tells.
  private static let least: Int32 = 1 << Int32(sample.bits - 16)

  /// Waits for the server, half a minute where that hangs.
  ///
  /// - Parameters:
  ///   - route: where ALSA's configuration says that `name` leads.
  ///   - wanted: what it has without exception, but for rates beyond the server's.
  /// - Returns: nil where PipeWire answers in PulseAudio's place, or a server that is reached by a network, whose answers
  ///   may be long under way: ALSA's plugin takes them as they come.
  static func open(_ name: String, _ route: PulseRoute, wanted: StreamFormat) throws(AudioError)
    -> PulseStream?
  {
    var reason = ""
    guard let connection = PulseConnection("ALSA plug-in [alarm]", server: route.server, &reason) else {
      throw PCM.failure(name, "cannot be opened", reason)
    }
    if !connection.isLocal { return nil }
    guard let server = SoundServer.name(of: connection) else {
      throw PCM.failure(name, "cannot be opened", connection.reason)
    }
    if server.contains("PipeWire") { return nil }
    return try PulseStream(name, connection, sink: route.sink, wanted: wanted)
  }

  private init(_ name: String, _ connection: PulseConnection, sink: String?, wanted: StreamFormat)
    throws(AudioError)
  {
    (self.name, self.connection, self.sink) = (name, connection, sink)
    // PA_RATE_MAX, PA_CHANNELS_MAX.
    format = StreamFormat(rate: min(wanted.rate, 384_000), channels: min(wanted.channels, 32))
    step = format.frames(PCM.periodTime)
    bufferFrames = format.frames(PCM.bufferTime)
    guard let stream = PulseStream.connect(connection, format, sink: sink, buffer: bufferFrames, step: step)
    else {
      let isMissing = pa_context_errno(connection.context) == Int32(PA_ERR_NOENTITY.rawValue)
      throw PCM.failure(
        name, "cannot be opened",
        isMissing
          ? sink.map { "the sound server has no output “\(clean($0))”" } ?? "the sound server has no output"
          : connection.reason)
    }
    self.stream = stream
    times = DeviceLine(rate: format.rate)
    samples = .allocate(capacity: PulseStream.batch * format.channels)
  }

  deinit {
    // Whether it hangs is found out here, and not by the next one that is opened: see above.
    if isStarted, reveille_pulse_stream_is_ready(stream) != 0 {
      _ = connection.finish(pa_stream_cork(stream, 1, nil, nil))
    }
    forgetQuestion()
    PulseStream.release(stream)
    samples.deallocate()
  }

  /// A stream that has not begun; nil where there is none to be had.
  private static func connect(
    _ connection: PulseConnection, _ format: StreamFormat, sink: String?, buffer: Int, step: Int
  ) -> OpaquePointer? {
    var spec = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.rate), channels: UInt8(format.channels))
    var map = ChannelOrder.map(format.channels)
    guard let stream = pa_stream_new(connection.context, "Reveille", &spec, &map) else { return nil }
    let frame = UInt32(format.channels * sample.size)
    // As soon as there is a frame it goes on after it ran dry. It asks for more, and renders, a period at once.
    var wish = pa_buffer_attr(
      maxlength: .max, tlength: UInt32(buffer) * frame, prebuf: frame, minreq: UInt32(step) * frame,
      fragsize: .max)
    let flags = pa_stream_flags_t(
      rawValue: PA_STREAM_START_CORKED.rawValue | PA_STREAM_EARLY_REQUESTS.rawValue)
    if pa_stream_connect_playback(stream, sink, &wish, flags, nil, nil) >= 0,
      connection.wait(while: {
        reveille_pulse_stream_is_ready(stream) == 0 && reveille_pulse_stream_is_lost(stream) == 0
      }), reveille_pulse_stream_is_ready(stream) != 0
    {
      return stream
    }
    release(stream)
    return nil
  }

  private static func release(_ stream: OpaquePointer) {
    pa_stream_disconnect(stream)
    pa_stream_unref(stream)
  }

  private var frameBytes: Int { format.channels * PulseStream.sample.size }

  // MARK: SoundDevice

  func queued(now: Int64) -> Int {
    connection.pass()
    if connection.isLost { return -Int(ECONNRESET) }
    let writable = pa_stream_writable_size(stream)
    guard reveille_pulse_stream_is_ready(stream) != 0, writable >= 0,
      let length = pa_stream_get_buffer_attr(stream)?.pointee.tlength
    else { return -Int(EPIPE) }
    // On another sink it may want more or less.
    bufferFrames = Int(length) / frameBytes
    return max(0, bufferFrames - writable / frameBytes) + pending
  }

  func line(queued: Int, now: Int64, exactly: Bool) -> TimeLine {
    let (inside, behind) = (queued - pending, given - Int64(pending))
    if !exactly, let line = times.known(queued: inside, written: behind, now: now) { return line }
    if behind > 0 { askForBlock() }
    if behind > 0, let (told, instant) = ask() {
      times.observe(told: told, queued: inside, written: behind, now: instant, seen: now)
    }
    return times.estimate(queued: inside, written: behind, now: Clocks.monotonicMicroseconds())
  }

  var knowsItsLine: Bool { times.line != nil }

  /// In how many frames one that was given behind the others would be heard, and when (µs) that was so; nil where the
  /// server does not say. (`pa_stream_update_timing_info`: libpulse's own clock of a stream goes wrong where an answer is
  /// not taken at once.)
  private func ask() -> (frames: Int, at: Int64)? {
    guard let since = awaitAnswer(), let info = pa_stream_get_timing_info(stream)?.pointee,
      info.read_index_corrupt == 0, info.write_index_corrupt == 0
    else { return nil }
    let after = Clocks.monotonicMicroseconds()
    var wall = timeval()
    gettimeofday(&wall, nil)
    let age =
      Int64(wall.tv_sec - info.timestamp.tv_sec) * 1_000_000 + Int64(wall.tv_usec - info.timestamp.tv_usec)
    // Not so where the clock was set meanwhile.
    let isOwnClock = age >= 0 && age <= after - since
    guard after - since < 1_000_000, isOwnClock || after - since < 1000 else { return nil }
    let frames =
      Int(info.write_index - info.read_index) / frameBytes
      + Int(Int64(clamping: info.sink_usec) * Int64(format.rate) / 1_000_000)
    return (frames, isOwnClock ? after - age : (since + after) / 2)
  }

  /// Asks, or waits for what was asked before; since when (µs) that was asked which is answered now, or nil.
  ///
  /// What is not answered in time stays under way: libpulse keeps an account of each question until its answer comes, a
  /// question that was given up too, and takes no more when it has thirty.
  private func awaitAnswer() -> Int64? {
    if question == nil {
      let since = Clocks.monotonicMicroseconds()
      question = pa_stream_update_timing_info(stream, nil, nil).map { ($0, since) }
    }
    guard let (operation, since) = question else { return nil }
    let isRunning = { reveille_pulse_is_running(operation) != 0 }
    guard connection.wait(within: .microseconds(PulseStream.patience), while: isRunning) else { return nil }
    forgetQuestion()
    return since
  }

  private func forgetQuestion() {
    if let question { pa_operation_unref(question.operation) }
    question = nil
  }

  /// How much the sink renders at once: where it is another one, or plays again.
  private func askForBlock() {
    let sink = pa_stream_get_device_index(stream)
    guard sink != asked else { return }
    asked = sink
    let block = SoundServer.block(of: sink, connection, within: .microseconds(PulseStream.patience))
    times.taking = Taking(
      least: step, block: block.flatMap { $0 > 0 ? Int($0 * Int64(format.rate) / 1_000_000) : nil })
  }

  /// µs: it answers within a fifth of a millisecond where it has time. What is late is taken at the next turn.
  private static let patience: Int64 = 5_000
  /// ms.
  private static let sending = 100

  var room: Int { PulseStream.batch - pending }

  func give(_ samples: UnsafePointer<Float>, frames: Int, dither: Bool, leastBits: Range<Int>) {
    let channels = format.channels
    let out = self.samples + pending * channels
    out.update(from: samples, count: frames * channels)
    PulseStream.sample.put(PulseStream.least, to: out, in: leastBits, of: format, after: given)
    pending += frames
    given += Int64(frames)
  }

  func flush() -> Int {
    guard pending > 0 else { return 0 }
    guard !connection.isLost else { return -Int(ECONNRESET) }
    guard pa_stream_write(stream, samples, pending * frameBytes, nil, 0, PA_SEEK_RELATIVE) >= 0 else {
      return -Int(EPIPE)
    }
    pending = 0
    connection.send(within: .milliseconds(PulseStream.sending))
    return 0
  }

  func startIfReady(now: Int64) {
    guard !isStarted, given > 0 else { return }
    isStarted = connection.finish(pa_stream_cork(stream, 0, nil, nil))
  }

  func pause(_ on: Bool) -> Bool {
    times.forget()
    asked = nil
    return connection.finish(pa_stream_cork(stream, on ? 1 : 0, nil, nil))
  }

  // MARK: Recovery

  /// Where the server has thrown the stream away: another one, with nothing queued.
  func prepare() -> Bool {
    guard !connection.isLost,
      let next = PulseStream.connect(
        connection, format, sink: sink, buffer: format.frames(PCM.bufferTime), step: step)
    else { return false }
    forgetQuestion()
    PulseStream.release(stream)
    (stream, isStarted, pending, asked) = (next, false, 0, nil)
    times.forget()
    return true
  }

  func wake() -> Bool? { false }

  func reason(_ code: Int) -> String {
    connection.isLost ? "the sound server has ended" : PCM.reason(code)
  }
}
