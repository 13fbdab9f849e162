import Glibc
import Platform

/// The player as desktops, media keys, `playerctl` and bars know it: the object of MPRIS 2.2
/// (specifications.freedesktop.org/mpris-spec) on the session bus. On the loop's thread.
public final class MediaPlayer {
  private let bus: Bus
  private let position: () -> Int64
  private let command: (MediaCommand) throws(BusError) -> Void
  private var object: ExportedObject?
  private var name: OwnedName?
  private(set) var state = MediaState()

  static let path = "/org/mpris/MediaPlayer2"
  static let root = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"

  /// `position`: microseconds heard of the present track. `command` refuses by throwing.
  public init(
    _ session: Bus, position: @escaping () -> Int64,
    command: @escaping (MediaCommand) throws(BusError) -> Void
  ) {
    (bus, self.position, self.command) = (session, position, command)
    object = ExportedObject(session, MediaPlayer.path, [rootInterface, playerInterface])
    // A second engine, on other data, is another instance.
    let name = MediaPlayer.root + ".reveille"
    self.name = OwnedName(session, name, otherwise: "\(name).instance\(getpid())")
  }

  /// What it has on the bus; nil where it has none.
  public var busName: String? { name.flatMap { $0.isOwned ? $0.name : nil } }

  /// Shows another state; who listens is told what of it is new.
  public func update(_ new: MediaState) {
    let old = state
    guard new != old else { return }
    state = new
    var names: [String] = []
    if new.status != old.status { names.append("PlaybackStatus") }
    if new.loop != old.loop { names.append("LoopStatus") }
    if new.isShuffled != old.isShuffled { names.append("Shuffle") }
    if new.track != old.track { names.append("Metadata") }
    if new.volume != old.volume { names.append("Volume") }
    if new.canGoNext != old.canGoNext { names.append("CanGoNext") }
    if new.canGoPrevious != old.canGoPrevious { names.append("CanGoPrevious") }
    if new.canPlay != old.canPlay { names += ["CanPlay", "CanPause"] }
    if new.canSeek != old.canSeek { names.append("CanSeek") }
    object?.tellChanged(names, of: MediaPlayer.player)
    names = []
    if new.canRaise != old.canRaise { names.append("CanRaise") }
    if new.canQuit != old.canQuit { names.append("CanQuit") }
    object?.tellChanged(names, of: MediaPlayer.root)
  }

  /// The place in the track is another than time alone would have made it. Position itself is never signalled.
  public func jumped(to position: Int64) {
    object?.emit(MediaPlayer.player, "Seeked", [.int64(position)])
  }

  public func close() {
    name = nil
    object = nil
  }

  // MARK: Interfaces

  private var rootInterface: BusInterface {
    BusInterface(
      MediaPlayer.root,
      methods: [method("Raise", .raise) { $0.canRaise }, method("Quit", .quit) { $0.canQuit }],
      properties: [
        property("CanQuit", "b") { .bool($0.state.canQuit) },
        property("CanRaise", "b") { .bool($0.state.canRaise) },
        BusProperty("HasTrackList", "b") { .bool(false) },
        BusProperty("Identity", "s") { .string("Reveille") },
        BusProperty("DesktopEntry", "s") { .string("reveille") },
        BusProperty("SupportedUriSchemes", "as") { .strings(["file"]) },
        BusProperty("SupportedMimeTypes", "as") {
          .strings([
            "audio/mpeg", "audio/ogg", "audio/flac", "audio/x-flac", "audio/wav", "audio/x-wav",
            "audio/x-aiff", "audio/opus", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/x-mpegurl",
            "audio/x-scpls",
          ])
        },
      ])
  }

  private var playerInterface: BusInterface {
    BusInterface(
      MediaPlayer.player, methods: methods, properties: properties, signals: [("Seeked", "x")])
  }

  /// What cannot be done, as its property says, does nothing: so the specification wants it.
  private func method(
    _ name: String, _ command: MediaCommand, where isPossible: @escaping (MediaState) -> Bool = { _ in true }
  ) -> BusMethod {
    BusMethod(name) { [weak self] _ throws(BusError) in
      if let self, isPossible(state) { try self.command(command) }
      return []
    }
  }

  private var methods: [BusMethod] {
    [
      method("Play", .play), method("Pause", .pause), method("PlayPause", .playPause), method("Stop", .stop),
      method("Next", .next) { $0.canGoNext }, method("Previous", .previous) { $0.canGoPrevious },
      BusMethod("Seek", takes: "x") { [weak self] call throws(BusError) in
        guard let self, state.canSeek, let offset = call[0]?.number else { return [] }
        // Beyond the end it acts like Next; before the start it is the start.
        if let length = state.track?.length, offset > max(0, length - max(0, position())) {
          try command(.next)
        } else {
          try command(.seek(by: offset))
        }
        return []
      },
      BusMethod("SetPosition", takes: "ox") { [weak self] call throws(BusError) in
        // Of a track that is no longer the present one, or outside of it: passed over.
        guard let self, state.canSeek, let place = call[1]?.number, place >= 0,
          call[0]?.text == trackPath, place <= state.track?.length ?? .max
        else { return [] }
        try command(.setPosition(place))
        return []
      },
      BusMethod("OpenUri", takes: "s") { [weak self] call throws(BusError) in
        guard let path = FileURL.path(call[0]?.text ?? "") else {
          throw .refused("InvalidArgs", "only files of this machine can be played, as in file:///music/a.ogg")
        }
        try self?.command(.open(path: path))
        return []
      },
    ]
  }

  private func property(
    _ name: String, _ signature: String, isSignalled: Bool = true,
    _ read: @escaping (MediaPlayer) -> BusValue,
    write: ((MediaPlayer, BusValue) throws(BusError) -> Void)? = nil
  ) -> BusProperty {
    var property = BusProperty(name, signature, isSignalled: isSignalled) { [weak self] in
      // Nobody asks an object that is gone.
      self.map(read) ?? .string("")
    }
    if let write {
      property.write = { [weak self] value throws(BusError) in
        if let self { try write(self, value) }
      }
    }
    return property
  }

  private var properties: [BusProperty] {
    [
      property("PlaybackStatus", "s") { .string($0.state.status.rawValue) },
      property("LoopStatus", "s") {
        .string($0.state.loop.rawValue)
      } write: { me, value throws(BusError) in
        guard let loop = value.text.flatMap(MediaState.Loop.init(rawValue:)) else {
          throw .refused("InvalidArgs", "LoopStatus is None, Track or Playlist")
        }
        try me.command(.setLoop(loop))
      },
      property("Shuffle", "b") {
        .bool($0.state.isShuffled)
      } write: { me, value throws(BusError) in
        try me.command(.setShuffle(value.truth ?? false))
      },
      property("Rate", "d") { _ in
        .double(1)
      } write: { me, value throws(BusError) in
        // There is but one rate; 0 means Pause.
        if value.real == 0 { try me.command(.pause) }
      },
      property("MinimumRate", "d") { _ in .double(1) }, property("MaximumRate", "d") { _ in .double(1) },
      property("Volume", "d") {
        .double($0.state.volume)
      } write: { me, value throws(BusError) in
        guard let volume = value.real, !volume.isNaN else {
          throw .refused("InvalidArgs", "Volume goes from 0 to 1")
        }
        try me.command(.setVolume(min(max(volume, 0), 1)))
      },
      property("Position", "x", isSignalled: false) { .int64(max(0, $0.position())) },
      property("Metadata", "a{sv}") { $0.metadata },
      property("CanGoNext", "b") { .bool($0.state.canGoNext) },
      property("CanGoPrevious", "b") { .bool($0.state.canGoPrevious) },
      property("CanPlay", "b") { .bool($0.state.canPlay) },
      property("CanPause", "b") { .bool($0.state.canPlay) },
      property("CanSeek", "b") { .bool($0.state.canSeek) },
      property("CanControl", "b", isSignalled: false) { _ in .bool(true) },
    ]
  }

  // MARK: Metadata

  private var trackPath: String {
    // The specification's own name for none; ours must not be below /org/mpris.
    state.track.map { "/io/reveille/track/\($0.entry)" } ?? "/org/mpris/MediaPlayer2/TrackList/NoTrack"
  }

  private var metadata: BusValue {
    guard let track = state.track else { return .properties([("mpris:trackid", .objectPath(trackPath))]) }
    // Bars read these without asking whether they are there.
    let artists = [clean(track.artist, atMost: 1000)]
    return .properties([
      ("mpris:trackid", .objectPath(trackPath)), ("mpris:length", .int64(track.length ?? 0)),
      ("xesam:url", .string(track.url)), ("xesam:title", .string(clean(track.title, atMost: 1000))),
      ("xesam:artist", .strings(artists)), ("xesam:album", .string(clean(track.album, atMost: 1000))),
      ("xesam:albumArtist", .strings(artists)),
    ])
  }
}
