import CPulse
import Platform

/// Questions to the sound server. All of them wait for it, two seconds at most: for workers, never for the loop or an
/// output.
public enum SoundServer {
  static let patience = Duration.seconds(2)

  /// What the server says; nil where none answers.
  ///
  /// - Parameter process: whose streams are meant, our own process (`application.process.id` of a stream or its client).
  public static func ask(process: Int32) -> ServerView? {
    guard let connection = PulseConnection(until: .now + patience) else { return nil }
    return ask(connection, process: process)
  }

  static func ask(_ connection: PulseConnection, process: Int32) -> ServerView? {
    let answer = Answer(process: "\(process)")
    let context = connection.context
    let box = Unmanaged.passUnretained(answer).toOpaque()
    return withExtendedLifetime(answer) { () -> ServerView? in
      guard
        connection.finish(
          pa_context_get_server_info(
            context, { _, info, box in Answer.of(box)?.take(server: info) }, box)),
        connection.finish(
          pa_context_get_sink_info_list(
            context, { _, info, end, box in if end == 0 { Answer.of(box)?.take(sink: info) } }, box)),
        connection.finish(
          pa_context_get_client_info_list(
            context, { _, info, end, box in if end == 0 { Answer.of(box)?.take(client: info) } }, box)),
        connection.finish(
          pa_context_get_sink_input_info_list(
            context, { _, info, end, box in if end == 0 { Answer.of(box)?.take(stream: info) } }, box))
      else { return nil }
      return answer.view
    }
  }

  /// Whether it is PipeWire, and how many µs the default sink renders at once, 0 where that is not told; nil where none
  /// answers. (`pa_sink_info.configured_latency`)
  static func askForRhythm() -> (isPipeWire: Bool, block: Int64)? {
    guard let connection = PulseConnection(until: .now + patience) else { return nil }
    guard let name = name(of: connection), let block = block(of: nil, connection) else { return nil }
    return (name.contains("PipeWire"), block)
  }

  /// How many µs a sink, nil: the default one, renders at once, 0 where that is not told; nil where there is no answer in
  /// time. (`pa_sink_info.configured_latency`)
  static func block(of sink: UInt32?, _ connection: PulseConnection, within patience: Duration? = nil)
    -> Int64?
  {
    let answer = Answer(process: "")
    let box = Unmanaged.passUnretained(answer).toOpaque()
    return withExtendedLifetime(answer) {
      let take: pa_sink_info_cb_t = { _, info, end, box in if end == 0 { Answer.of(box)?.take(sink: info) } }
      let operation =
        sink.map { pa_context_get_sink_info_by_index(connection.context, $0, take, box) }
        ?? pa_context_get_sink_info_by_name(connection.context, nil, take, box)
      return connection.finish(operation, within: patience) ? answer.block : nil
    }
  }

  /// The server's own name, such as `pulseaudio`; nil where it is gone.
  static func name(of connection: PulseConnection) -> String? {
    let answer = Answer(process: "")
    let box = Unmanaged.passUnretained(answer).toOpaque()
    return withExtendedLifetime(answer) {
      connection.finish(
        pa_context_get_server_info(
          connection.context, { _, info, box in Answer.of(box)?.take(server: info) }, box))
        ? answer.view.server : nil
    }
  }

  /// Sets mute and volume of a sink; false where the server refuses or does not answer.
  static func set(_ connection: PulseConnection, sink name: String, to level: OutputLevel) -> Bool {
    connection.does { context, done, box in
      level.isMuted.map { pa_context_set_sink_mute_by_name(context, name, $0 ? 1 : 0, done, box) }
    }
      && connection.does { context, done, box in
        level.cVolume.map { volume in
          var volume = volume
          return pa_context_set_sink_volume_by_name(context, name, &volume, done, box)
        }
      }
  }

  /// The same of a stream.
  static func set(_ connection: PulseConnection, stream index: UInt32, to level: OutputLevel) -> Bool {
    connection.does { context, done, box in
      level.isMuted.map { pa_context_set_sink_input_mute(context, index, $0 ? 1 : 0, done, box) }
    }
      && connection.does { context, done, box in
        level.cVolume.map { volume in
          var volume = volume
          return pa_context_set_sink_input_volume(context, index, &volume, done, box)
        }
      }
  }
}

extension PulseConnection {
  typealias Done = @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?) -> Void

  /// Something that either succeeds or fails; true where `begin` has nothing to do (nil).
  fileprivate func does(_ begin: (OpaquePointer, Done, UnsafeMutableRawPointer) -> OpaquePointer??) -> Bool {
    let success = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    success.initialize(to: false)
    defer { success.deallocate() }
    let begun = begin(
      context, { _, code, box in box?.assumingMemoryBound(to: Bool.self).pointee = code != 0 }, success)
    guard let operation = begun else { return true }
    return finish(operation) && success.pointee
  }
}

/// Gathers what the callbacks bring. Used by one thread, within one call.
private final class Answer {
  private let process: String
  private(set) var view = ServerView()
  /// µs that the sink taken last renders at once.
  private(set) var block: Int64 = 0
  private var names: [UInt32: String] = [:]
  private var clients: Set<UInt32> = []

  init(process: String) { self.process = process }

  static func of(_ box: UnsafeMutableRawPointer?) -> Answer? {
    box.map { Unmanaged<Answer>.fromOpaque($0).takeUnretainedValue() }
  }

  func take(server: UnsafePointer<pa_server_info>?) {
    guard let info = server?.pointee else { return }
    view.server = "\(text(info.server_name)) \(text(info.server_version))"
    let name = text(info.default_sink_name)
    view.defaultSink = name.isEmpty || name.hasPrefix("@") ? nil : name
  }

  func take(sink: UnsafePointer<pa_sink_info>?) {
    guard let sink else { return }
    let info = sink.pointee
    let facts = SinkFacts(info)
    block = Int64(clamping: info.configured_latency)
    names[info.index] = facts.name
    var result = ServerView.Sink(
      name: facts.name, description: text(info.description),
      level: OutputLevel(info.volume, isMuted: info.mute != 0))
    (result.kind, result.isNull, result.isUnplugged) = (facts.kind, facts.isNull, facts.portIsOut)
    result.isFlat = reveille_pulse_is_flat(sink) != 0
    view.sinks.append(result)
  }

  func take(client: UnsafePointer<pa_client_info>?) {
    guard let info = client?.pointee else { return }
    if property(info.proplist, PA_PROP_APPLICATION_PROCESS_ID) == process { clients.insert(info.index) }
  }

  func take(stream: UnsafePointer<pa_sink_input_info>?) {
    guard let info = stream?.pointee else { return }
    guard
      clients.contains(info.client) || property(info.proplist, PA_PROP_APPLICATION_PROCESS_ID) == process
    else { return }
    let level =
      info.has_volume != 0 && info.volume_writable != 0
      ? OutputLevel(info.volume, isMuted: info.mute != 0)
      : OutputLevel(isMuted: info.mute != 0, volumes: [], full: Int(OutputLevel.pulseFull))
    view.streams.append(
      ServerView.Stream(index: info.index, sink: names[info.sink] ?? "", level: level))
  }
}

extension OutputLevel {
  /// `PA_VOLUME_NORM`, whose macro Swift does not import.
  static let pulseFull: UInt32 = 0x10000

  fileprivate init(_ volume: pa_cvolume, isMuted: Bool) {
    let volumes = withUnsafePointer(to: volume) { pointer in
      (0..<UInt32(volume.channels)).map { Int(reveille_pulse_volume(pointer, $0)) }
    }
    self.init(isMuted: isMuted, volumes: volumes, full: Int(OutputLevel.pulseFull))
  }

  /// nil where it has no volume.
  fileprivate var cVolume: pa_cvolume? {
    if volumes.isEmpty { return nil }
    var result = pa_cvolume()
    for (channel, value) in volumes.enumerated() {
      reveille_pulse_set_volume(&result, UInt32(channel), UInt32(clamping: value))
    }
    return result
  }
}
