import Audio
import CLinux
import Core
import Desktop
import Glibc
import Platform
import Schedule
import Wire

/// The engine: turns requests, timers and what the devices say into events of Core, and Core's effects into deeds. No
/// rule lives here. Everything is on the loop's thread.
final class AlarmEngine {
  /// Stands for the engine in the handlers of its parts, which are made before it.
  final class Relay {
    weak var engine: AlarmEngine?
  }

  let loop: EventLoop
  let options: EngineOptions
  private let lock: DataLock
  let startedAt = Instant(microseconds: Clocks.wallMicroseconds())

  var settings: Settings
  var configErrors: [String]
  /// What the settings name that was not there when it was looked for last.
  var missing: [MissingThing] = []
  var looksForMissing = false
  /// The device a person has chosen in the place of the settings' one.
  var chosenDevice: String?
  var book = AlarmBook()
  var player = Player()
  var wakefulness = Wakefulness()
  var isEnding = false

  let keeper: Keeper
  let place: PlaceFile
  let workers: Workers
  let finder: SoundSources
  let time: TimeWatch
  let sounds: SoundSystem
  let ringOutputs: RingOutputs
  let rings: Rings
  let desktop: DesktopKeeper
  let media: MediaKeeper
  let output: CommandOutput
  let commands: RingCommands
  let inhibitors: InhibitorKeeper
  let wakeUps: WakeUpKeeper
  let hearing: HearingKeeper
  let loudness: LoudnessKeeper
  let server: Server
  let levels: LevelKeeper
  let settingsWatch: SettingsWatch
  let doctor: Doctor
  let nightWatch: NightWatch
  /// The doctor tries the device.
  var doctorHolds = false
  private var signals: [SignalSource] = []

  let leaseTimer: TimerSource
  let leaseWatches: LeaseWatches
  let shell: ShellCommands
  /// While something plays: once a second, for the place in the track and for who looks.
  let positionTimer: TimerSource
  /// For the music that is to stop by itself.
  let sleepTimer: TimerSource
  var positionTimerIsArmed = false
  /// What is to be played as soon as a worker has looked at it.
  var playOrder: PlayOrder?
  /// The player's number of the load that was opened last.
  var openedLoad: Int?
  /// Requests that are answered once their track is open.
  var beginnings: [Beginning] = []
  let beginningTimer: TimerSource
  let statusWork: DeferredSource
  private let endTimer: TimerSource
  var lastStatus: Status?
  /// What the service manager was last told about how things stand.
  var lastShown: String?
  /// Where the track was, and when (CLOCK_MONOTONIC in microseconds), as everybody was told last.
  var toldPlace: (position: Double, at: Int64) = (0, 0)
  var lifeCycle = LifeCycle()
  /// A screen was attached since the engine was last in the background.
  var wasForeground = false
  var sleep = Sleep.awake
  /// `Moment.suspended` when it was last looked at.
  var lastSuspended: Int64 = 0
  /// For a device that does not close, and a sleep that does not come.
  let sleepWatch: TimerSource
  let powerWork: DeferredSource
  /// Answers that wait until it is known whether something can wake the machine, and since when.
  var waiting: [() -> Void] = []
  var waitingSince: Int64 = 0
  let powerWait: TimerSource
  /// The music was paused because the last screen went, and goes on when one comes.
  var pausedForBackground = false
  var surroundings = Wakefulness.Surroundings()
  /// Sounds during whose opening the engine before this one died; the book passes them over.
  var abandoned: [OccurrenceID: [String]] = [:]
  /// Terminals that the desktop had us open, until they end.
  var terminals: [Int32: ChildSource] = [:]
  /// What the player had to complain of since the last request.
  var complaints: [String] = []

  var paths: Paths { options.paths }
  /// Now, by every clock.
  var now: Moment { time.moment }

  init(_ loop: EventLoop, _ options: EngineOptions, _ lock: DataLock) throws {
    let relay = Relay()
    (self.loop, self.options, self.lock) = (loop, options, lock)
    (settings, configErrors) = SettingsFile.read(options.paths, judge: options.judge)
    workers = try Workers(loop)
    keeper = try Keeper(loop, options.paths, workers)
    place = PlaceFile(options.paths)
    finder = SoundSources(soundFolders: options.paths.soundFolders)
    time = try TimeWatch(loop) { relay.engine?.tick() }
    sounds = try SoundSystem(loop: loop, settings: finder.soundSettings(settings)) { relay.engine?.hear($0) }
    ringOutputs = RingOutputs(loop, sounds) { id, sentence in
      relay.engine?.attempt { try relay.engine?.tell(.ringNoted(id, sentence: sentence)) }
    } changed: {
      relay.engine?.updateHearing()
    }
    loudness = LoudnessKeeper(ringOutputs, workers, keeper, finder)
    rings = try Rings(loop, ringOutputs, workers, finder, loudness) { relay.engine?.ringNews($0) }
    output = CommandOutput(loop)
    commands = try RingCommands(loop, home: options.paths.home, data: options.paths.data, output) {
      id, kind, sentence in
      relay.engine?.attempt { try relay.engine?.tell(.commandEnded(id, kind, sentence: sentence)) }
    }
    desktop = try DesktopKeeper(loop) {
      relay.engine?.words($0) ?? []
    } told: {
      relay.engine?.desktopTold($0)
    }
    inhibitors = try InhibitorKeeper(loop, session: desktop.session, system: desktop.system, workers) {
      relay.engine?.inhibitorNews($0)
    }
    wakeUps = try WakeUpKeeper(loop, session: desktop.session, workers, options.paths) {
      relay.engine?.powerWork.schedule()
    }
    sleepWatch = try TimerSource(loop, .monotonic) { relay.engine?.sleepIsOverdue() }
    powerWait = try TimerSource(loop, .monotonic) { relay.engine?.answerWaiting() }
    powerWork = try DeferredSource(loop) { relay.engine?.powerChanged() }
    media = try MediaKeeper(loop, desktop.session) {
      relay.engine?.heardPosition ?? .zero
    } asked: { (command) throws(BusError) in
      try relay.engine?.mediaAsked(command)
    }
    hearing = try HearingKeeper(loop, workers) {
      relay.engine?.keeper.save($0)
    } note: {
      relay.engine?.noteRings($0)
    } changed: {
      relay.engine?.hearingChanged()
    }
    server = try Server(loop, options.paths, options.handedOver) {
      relay.engine?.serve($0)
    } clientsChanged: {
      relay.engine?.clientsChanged()
    }
    levels = try LevelKeeper(loop, sounds, server)
    statusWork = try DeferredSource(loop) {
      relay.engine?.publishStatus()
      relay.engine?.tellMedia()
      relay.engine?.updateLevels()
    }
    leaseTimer = try TimerSource(loop, .boot) { relay.engine?.tick() }
    leaseWatches = try LeaseWatches(loop) { id in
      relay.engine?.attempt { try relay.engine?.tellWakefulness(.processEnded(lease: id)) }
    }
    shell = ShellCommands(loop, home: options.paths.home, output)
    positionTimer = try TimerSource(loop, .monotonic, accuracy: 50_000) { relay.engine?.positionDue() }
    sleepTimer = try TimerSource(loop, .boot) {
      relay.engine?.attempt { try relay.engine?.tellPlayer(.tick) }
    }
    beginningTimer = try TimerSource(loop, .monotonic) { relay.engine?.settleBeginnings() }
    endTimer = try TimerSource(loop, .monotonic) { relay.engine?.finish() }
    settingsWatch = try SettingsWatch(loop, options.paths) { relay.engine?.readSettingsAgain() }
    doctor = Doctor(loop, workers, finder, session: desktop.session, system: desktop.system) { done in
      relay.engine?.whenPowerIsKnown { relay.engine?.askPower(then: done) }
    }
    nightWatch = try NightWatch(loop) { relay.engine?.lookBeforeNight() }
    relay.engine = self
    useOnDesktop(settings)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signals.append(try SignalSource(loop, number) { relay.engine?.signalled(number) })
    }
    server.setStatus { relay.engine?.statusLine() ?? [] }
    keeper.folderChanged = { relay.engine?.dataFolderChanged() }
    keeper.mended = { relay.engine?.storeMended() }
    keeper.everything = {
      guard let engine = relay.engine else { return [] }
      let live = engine.book.ringing + engine.book.snoozed
      return engine.book.all.map(Change.alarm) + live.map(Change.occurrence)
        + engine.book.inbox.map(Change.inbox)
        + [
          .badge(engine.book.badge), .clockTurns(engine.book.clockTurns),
          .player(engine.player.state), .leases(engine.wakefulness.lasting), .raised(engine.hearing.raised),
          .seen(Seen(engine.now)),
        ]
    }
    keeper.present = { changes in relay.engine.map { $0.book.present(of: changes) } ?? [] }
    keeper.probe = { relay.engine.map { [.seen(Seen($0.now))] } ?? [] }
  }

  /// Reads what is stored, listens, and judges what passed while no engine ran. Throws where there can be no engine.
  func start() throws {
    let stored = keeper.load()
    book = stored.book(settings: settings)
    for occurrence in stored.live where !occurrence.attempts.isEmpty {
      abandoned[occurrence.id] = occurrence.attempts
    }
    var music = stored.player
    if let index = music.index, music.queue.indices.contains(index),
      let later = place.place(in: music.queue[index])
    {
      music.position = later
    }
    var generator = SystemRandomNumberGenerator()
    player = Player(music, settings: settings, seed: generator.next())
    wakefulness = Wakefulness(leases: stored.leases, settings: settings)
    hearing.take(stored.raised)
    lastSuspended = now.suspended
    // One that was chosen while such names were still taken is not opened again.
    chosenDevice = stored.outputDevice.flatMap { DeviceName.writesFile($0) ? nil : $0 }
    sounds.apply(finder.soundSettings(effectiveSettings))
    // A ring before everything, the socket too.
    sounds.setMusicVolume(player.volume, muted: player.isMuted)
    attempt { try self.tellWakefulness(.loaded) }
    attempt { try self.tell(.loaded) }
    if let trouble = keeper.trouble { attempt { try self.tell(.storeBroken(trouble)) } }
    for problem in configErrors { Log.warning(problem) }
    lookForMissing()
    measureSounds()
    let data = paths.data
    workers.run("commands") {
      RingCommands.survivors(of: data)
    } then: { [weak self] in
      guard let self, !isEnding else { return }
      commands.adopt($0) { id in self.book.ringing.contains { $0.id == id } }
    }
    // Reading made many small pieces.
    if book.count > 1000 { reveille_return_memory() }
    reveille_return_code()
    do {
      try server.listen()
    } catch {
      // The runtime folder goes with the last logout. Alarms ring without it.
      guard options.takesOver else { throw error }
      return server.listenLater(error)
    }
    Log.info("engine \(options.version) (process \(getpid())) listens at “\(paths.socket)”")
  }

  /// Does what only fails where nobody is there to be told; the log is.
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { Log.warning("\(error)") }
  }

  /// What lies beside the database may have been removed with it.
  private func dataFolderChanged() {
    Log.restore()
    statusChanged()
    if !lock.renew() { end(because: "its data was removed, and another engine has begun in the same place") }
  }

  private func signalled(_ number: Int32) {
    // A terminal that closes sends it too; then nobody is in front any more.
    if number == SIGHUP, isatty(2) == 0 { return readSettingsAgain() }
    end(because: "signal \(number)")
  }

  /// Ends in order: tells those who look, takes the socket away, writes down what is to be kept, lets the sound fade.
  func end(because reason: String) {
    guard !isEnding else { return }
    isEnding = true
    Log.info("the engine ends: \(reason)")
    answerWaiting(atOnce: true)
    settleBeginnings(all: true)
    loudness.end()
    notePosition()
    ServiceManager.tell("STOPPING=1")
    attempt { try self.tell(.ending) }
    live(.terminating)
    commands.end()
    output.end()
    publishStatus()
    server.stopListening()
    // The sound, the backup and what was raised for a ring end side by side; none is waited for longer than a second.
    var waitingFor = 3
    let oneEnded = { [self] in
      waitingFor -= 1
      if waitingFor == 0 { finish() }
    }
    keeper.saveLast([.player(player.state)], then: oneEnded)
    ringOutputs.end()
    hearing.end(then: oneEnded)
    sounds.shutDown(within: .seconds(1), done: oneEnded)
    endTimer.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 1_000_000)
  }

  private func finish() {
    wakeUps.close()
    inhibitors.close()
    media.close()
    desktop.close()
    server.closeAll()
    keeper.close()
    loop.stop(0)
  }
}
