import CALSA
import Platform

/// One open ALSA device. Every call here can block for ever; only an output's own thread makes them.
final class PCM: OpenDevice {
  let name: String
  let format: StreamFormat
  /// ALSA's name of the sample format.
  let formatName: String
  let bufferFrames: Int
  private let periodFrames: Int
  var step: Int { isPacedByClock ? 0 : periodFrames }
  private(set) var given: Int64 = 0
  private(set) var isPacedByClock: Bool
  private let handle: OpaquePointer
  /// Frames that ALSA took.
  private var written: Int64 = 0
  private let sample: SampleFormat
  /// What the device is, for the choice of what keeps it awake.
  let kind: DeviceKind
  /// What one step of the least bit that gets through is in a sample.
  private let least: Int32
  /// For each of its channels which of ours it plays, where it has an order of its own.
  private let order: [Int]?
  private let canPause: Bool
  private var pace: ClockPace
  private var times: DeviceLine
  /// nil where no server is behind it that could be asked.
  private var manner: ServerManner?
  /// Converted frames, and those among them that the device has not taken yet.
  private let bytes: UnsafeMutableRawPointer
  private let reordered: UnsafeMutablePointer<Float>
  /// Frames that fit there: many at once, because every call takes the lock of the sound server's client library.
  private static let batch = 8192
  private var pending = 0..<0
  private var noise: UInt32 = 1
  private var isStarted = false
  /// Ready and not started, when it was last looked at.
  private var isPrepared = false

  /// Seconds: a sound server asks for more every time a period is consumed, and PipeWire does so in whole cycles of its
  /// graph: of these 2250 frames at 48 000 in other numbers for each length of a cycle. The buffer is eleven of them.
  static let periodTime = 0.046_875
  static let bufferTime = 11 * periodTime

  /// `snd_pcm_open` and its parameters: interleaved, half a second of buffer, the nearest rate and channels.
  init(_ name: String, wanted: StreamFormat, now: Int64) throws(AudioError) {
    var opened: OpaquePointer?
    try PCM.check(
      name, "cannot be opened", snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)))
    guard let handle = opened else { throw PCM.failure(name, "cannot be opened", -ENOMEM) }
    do throws(AudioError) {
      kind = DeviceKind(handle, pcm: name)
      let setUp = try PCM.setUp(handle, name, wanted, formats: SampleFormat.offered(to: kind))
      (format, sample, bufferFrames, canPause) = (setUp.format, setUp.sample, setUp.buffer, setUp.canPause)
      periodFrames = setUp.period
      // Behind a server, whose format nobody tells, that of 16 bits, which any sink has.
      let bits = kind.isServer ? min(16, setUp.bits) : setUp.bits
      least = 1 << Int32(sample.bits - bits)
      order = ChannelOrder.agree(handle, channels: format.channels)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
    self.handle = handle
    self.name = name
    formatName = String(cString: snd_pcm_format_name(sample.alsa))
    isPacedByClock = snd_pcm_type(handle) == SND_PCM_TYPE_NULL
    pace = ClockPace(rate: format.rate, now: now)
    manner = kind == .server("PulseAudio") ? .ask() : nil
    times = DeviceLine(rate: format.rate, taking: Taking(tellsOfCycles: kind == .server("PipeWire")))
    bytes = .allocate(byteCount: PCM.batch * format.channels * 4, alignment: 16)
    reordered = .allocate(capacity: order == nil ? 0 : PCM.batch * format.channels)
  }

  deinit {
    snd_pcm_close(handle)
    bytes.deallocate()
    reordered.deallocate()
  }

  /// Opens it and closes it again: `snd_pcm_open`, and no more. Can block for ever.
  static func tryOpening(_ name: String) throws(AudioError) {
    reveille_alsa_silence()
    snd_config_update_free_global()
    var opened: OpaquePointer?
    try check(
      name, "cannot be opened", snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)))
    if let opened { snd_pcm_close(opened) }
  }

  private struct SetUp {
    var format: StreamFormat
    var sample: SampleFormat
    /// Those of a sample that the device makes something of.
    var bits: Int
    var buffer: Int
    var period: Int
    var canPause: Bool
  }

  private static func setUp(
    _ handle: OpaquePointer, _ name: String, _ wanted: StreamFormat, formats: [SampleFormat]
  ) throws(AudioError) -> SetUp {
    var made: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&made) == 0, let hardware = made else {
      throw failure(name, "cannot be set up", -ENOMEM)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(name, "cannot be set up", snd_pcm_hw_params_any(handle, hardware))
    try check(
      name, "does not take interleaved samples",
      snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    let sample = formats.first { snd_pcm_hw_params_set_format(handle, hardware, $0.alsa) == 0 }
    guard let sample else { throw failure(name, "takes no sample format that is known here", -EINVAL) }
    var channels = UInt32(wanted.channels)
    try check(
      name, "takes no channels", snd_pcm_hw_params_set_channels_near(handle, hardware, &channels))
    var rate = UInt32(wanted.rate)
    try check(name, "takes no rate", snd_pcm_hw_params_set_rate_near(handle, hardware, &rate, nil))
    var buffer = UInt32(PCM.bufferTime * 1_000_000)
    _ = snd_pcm_hw_params_set_buffer_time_near(handle, hardware, &buffer, nil)
    var period = UInt32(PCM.periodTime * 1_000_000)
    _ = snd_pcm_hw_params_set_period_time_near(handle, hardware, &period, nil)
    try check(name, "cannot be set up", snd_pcm_hw_params(handle, hardware))
    var frames: snd_pcm_uframes_t = 0
    try check(name, "tells no buffer", snd_pcm_hw_params_get_buffer_size(hardware, &frames))
    var step: snd_pcm_uframes_t = 0
    try check(name, "tells no period", snd_pcm_hw_params_get_period_size(hardware, &step, nil))
    let canPause = snd_pcm_hw_params_can_pause(hardware) == 1
    let significant = Int(snd_pcm_hw_params_get_sbits(hardware))
    let bits = significant > 0 ? min(significant, sample.bits) : sample.bits
    guard channels > 0, channels <= 32, rate > 0, frames > 0 else {
      throw failure(name, "is nonsense", -EINVAL)
    }

    guard snd_pcm_sw_params_malloc(&made) == 0, let software = made else {
      throw failure(name, "cannot be set up", -ENOMEM)
    }
    defer { snd_pcm_sw_params_free(software) }
    try check(name, "cannot be set up", snd_pcm_sw_params_current(handle, software))
    // Started by hand: a threshold would start it in the middle of the first fill.
    var boundary: snd_pcm_uframes_t = 0
    try check(name, "cannot be set up", snd_pcm_sw_params_get_boundary(software, &boundary))
    try check(
      name, "cannot be set up", snd_pcm_sw_params_set_start_threshold(handle, software, boundary))
    try check(name, "cannot be set up", snd_pcm_sw_params(handle, software))
    return SetUp(
      format: StreamFormat(rate: Int(rate), channels: Int(channels)), sample: sample, bits: bits,
      buffer: Int(frames), period: Int(step), canPause: canPause)
  }

  // MARK: SoundDevice

  func queued(now: Int64) -> Int {
    let available = snd_pcm_avail_update(handle)
    if available < 0 { return Int(available) }
    let state = snd_pcm_state(handle)
    isPrepared = state == SND_PCM_STATE_PREPARED
    switch state {
    case SND_PCM_STATE_XRUN, SND_PCM_STATE_SETUP: return Int(-EPIPE)
    case SND_PCM_STATE_SUSPENDED: return Int(-ESTRPIPE)
    case SND_PCM_STATE_DISCONNECTED: return Int(-ENODEV)
    default: break
    }
    if isPacedByClock { return pace.queued(written: given, now: now) }
    return max(0, bufferFrames - Int(available)) + pending.count
  }

  /// `snd_pcm_delay`, which `snd_pcm_avail_update` must precede.
  func line(queued: Int, now: Int64, exactly: Bool) -> TimeLine {
    if isPacedByClock { return pacedLine(queued: queued, now: now) }
    let (inside, behind) = (queued - pending.count, given - Int64(pending.count))
    if !exactly, let line = times.known(queued: inside, written: behind, now: now) { return line }
    var told: snd_pcm_sframes_t = 0
    let before = Clocks.monotonicMicroseconds()
    let isTold = snd_pcm_delay(handle, &told) == 0
    if let manner { times.taking = manner.taking(least: periodFrames, rate: format.rate) }
    let after = Clocks.monotonicMicroseconds()
    // An answer that was long under way is the answer of some instant between.
    if isTold, after - before < 1000, behind > 0 {
      times.observe(told: Int(told), queued: inside, written: behind, now: (before + after) / 2)
    }
    return times.estimate(queued: inside, written: behind, now: after)
  }

  var knowsItsLine: Bool { isPacedByClock || times.line != nil }

  var room: Int { pending.isEmpty ? PCM.batch : PCM.batch - pending.upperBound }

  func give(_ samples: UnsafePointer<Float>, frames: Int, dither: Bool, leastBits: Range<Int>) {
    if pending.isEmpty { pending = 0..<0 }
    let channels = format.channels
    let bytes = bytes + pending.upperBound * channels * sample.size
    if let order {
      for frame in 0..<frames {
        for channel in 0..<channels {
          reordered[frame * channels + channel] = samples[frame * channels + order[channel]]
        }
      }
    }
    sample.convert(
      order == nil ? samples : UnsafePointer(reordered), to: bytes, count: frames * channels, dither: dither,
      noise: &noise)
    sample.put(least, to: bytes, in: leastBits, of: format, after: given)
    pending = pending.lowerBound..<pending.upperBound + frames
    given += Int64(frames)
  }

  func flush() -> Int {
    while !pending.isEmpty {
      let at = bytes + pending.lowerBound * format.channels * sample.size
      let count = snd_pcm_writei(handle, at, snd_pcm_uframes_t(pending.count))
      if count == -Int(EAGAIN) || count == 0 { return -Int(EAGAIN) }
      if count < 0 { return Int(count) }
      pending = (pending.lowerBound + Int(count))..<pending.upperBound
      written += Int64(count)
    }
    return 0
  }

  func startIfReady(now: Int64) {
    guard isPrepared, written > 0 else { return }
    isPrepared = false
    if !isStarted {
      isStarted = true
      // ALSA's `null` and `file` swallow what they are given at once; a real device cannot have by now.
      let available = snd_pcm_avail_update(handle)
      if available >= 0, bufferFrames - Int(available) < Int(written) / 2, !isPacedByClock {
        isPacedByClock = true
      }
      pace = ClockPace(rate: format.rate, now: now)
    }
    _ = snd_pcm_start(handle)
  }

  func pause(_ on: Bool) -> Bool {
    times.forget()
    // Others may want it sooner, or no longer, than when it was asked.
    if !on, manner != nil { manner = .ask() }
    return canPause && snd_pcm_pause(handle, on ? 1 : 0) == 0
  }

  // MARK: Recovery

  /// After an underrun: ready again with nothing queued. `snd_pcm_prepare`.
  func prepare() -> Bool {
    pending = 0..<0
    times.forget()
    return snd_pcm_prepare(handle) == 0
  }

  /// After a suspend: true, or false where it must be prepared instead, nil while it is still asleep. `snd_pcm_resume`.
  func wake() -> Bool? {
    let code = snd_pcm_resume(handle)
    return code == -EAGAIN ? nil : code == 0
  }

  // MARK: Errors

  func reason(_ code: Int) -> String { PCM.reason(code) }

  static func reason(_ code: Int) -> String {
    let words = String(cString: snd_strerror(Int32(code)))
    return clean(words.prefix(1).lowercased() + words.dropFirst())
  }

  private static func failure(_ name: String, _ what: String, _ code: Int32) -> AudioError {
    if code == -EBUSY {
      return AudioError(
        .busy,
        "another program holds the sound device “\(clean(name))”; close that program, or choose another device with the "
          + "setting output.device")
    }
    return failure(name, what, reason(Int(code)))
  }

  static func failure(_ name: String, _ what: String, _ reason: String) -> AudioError {
    AudioError(
      .device,
      "the sound device “\(clean(name))” \(what): \(reason); choose another one with the setting output.device"
    )
  }

  private static func check(_ name: String, _ what: String, _ code: Int32) throws(AudioError) {
    if code < 0 { throw failure(name, what, code) }
  }
}
