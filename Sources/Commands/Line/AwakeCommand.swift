import CLinux
import Glibc
import Platform
import Wire

/// `alarm awake -- COMMAND`: holds a lease for as long as a command runs, hands signals on to it and ends as it does.
///
/// The lease is bound to the connection, so it ends however this process does. An engine that dies meanwhile is found
/// again, and asked again, as soon as it is back.
final class AwakeCommand {
  /// Our own failures, as env(1) and nohup(1) have them.
  private enum Own {
    static let failed: Int32 = 125
    static let cannotRun: Int32 = 126
    static let notFound: Int32 = 127
  }

  /// All that can be handed on: not what the kernel keeps for itself, nor what the command's end makes.
  private static let forwarded =
    (Array(1...31) + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())).filter {
      ![SIGKILL, SIGSTOP, SIGCHLD].contains($0)
    }
  /// They stop a process, and so this one with the command: whoever waits for it is to see it stopped.
  private static let stopping = [SIGTSTP, SIGTTIN, SIGTTOU]
  /// How long until an engine that is not there is looked for again.
  private static let pause: Int64 = 500_000

  private let command: [Argument]
  private let params: [String: JSON]
  private let paths: Paths
  private let complain: (String) -> Void
  private var client: Client?
  private var lease = 0
  private var searchAt: Int64 = 0

  init(
    _ command: [Argument], _ params: [String: JSON], _ paths: Paths, complain: @escaping (String) -> Void
  ) {
    (self.command, self.params, self.paths, self.complain) = (command, params, paths, complain)
  }

  /// Until the command runs there is nobody to hand a signal on to: each does here what it does to any process.
  func run() -> Int32 {
    do {
      try take(try Connect.toEngine(paths))
    } catch {
      complain("\(error), so “\(name)” was not started")
      return Own.failed
    }
    let child: pid_t
    let signals: Descriptor
    do {
      signals = try AwakeCommand.watchSignals()
      blockSignals(AwakeCommand.forwarded + [SIGCHLD])
      child = try spawn(bytes: command.map(\.bytes))
    } catch {
      blockSignals(AwakeCommand.forwarded, false)
      // It was no end of anything: what is to be done at the end is not done.
      if let client { _ = try? client.call("awake.off", ["id": .int(Int64(lease))], as: DoneReply.self) }
      complain("\(error)")
      return error.code == ENOENT ? Own.notFound : Own.cannotRun
    }
    return accompany(child, signals)
  }

  private var name: String { command.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "" }

  /// Asks for the lease on this connection.
  private func take(_ connection: Client) throws(WireError) {
    let reply: LeaseReply = try connection.call("awake", .object(params))
    (client, lease) = (connection, reply.lease.id)
    for sentence in reply.warnings { complain(sentence) }
  }

  private func accompany(_ child: pid_t, _ signals: Descriptor) -> Int32 {
    // What came between the block and the spawn has reached this process alone, whoever sent it.
    handOn(signals, to: child, isFirst: true)
    // Something may have come together with the lease.
    listen()
    while true {
      var status: Int32 = 0
      if waitpid(child, &status, WNOHANG) == child { return ExitStatus(waitStatus: status).shellStatus }
      var waits = [
        pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: client?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      // Without an engine it is looked for; else nothing comes that does not announce itself.
      let milliseconds = client == nil ? Int32(AwakeCommand.pause / 1000) : -1
      let ready = poll(&waits, 2, milliseconds)
      if ready > 0, waits[0].revents != 0 { handOn(signals, to: child) }
      if ready > 0, waits[1].revents != 0 { listen() }
      if client == nil { search() }
    }
  }

  /// What the engine says: that the lease ends soon, which it is not to while the command runs; or nothing any more.
  private func listen() {
    guard let client else { return }
    do {
      for message in try client.readAvailable() {
        switch message {
        case .notification("event", let params):
          guard let event: Event = try? params.decode(), event.name == "leaseExpiring", event.data.id == lease
          else { continue }
          try client.send("awake.renew", ["id": .int(Int64(lease))])
        case .failure(_, let error): complain(error.description)
        default: continue
        }
      }
    } catch {
      self.client = nil
    }
  }

  private func search() {
    let now = Clocks.monotonicMicroseconds()
    guard now >= searchAt else { return }
    searchAt = now + AwakeCommand.pause
    // One that was stopped is not started again behind the back of whoever stopped it.
    guard let found = try? Connect.toRunningEngine(paths) else { return }
    try? take(found)
    listen()
  }

  private struct Event: Decodable {
    struct Data: Decodable { var id: Int }
    var name: String
    var data: Data
  }

  // MARK: Signals

  private static func watchSignals() throws(SystemError) -> Descriptor {
    var set = sigset_t()
    sigemptyset(&set)
    for number in forwarded + [SIGCHLD] { sigaddset(&set, number) }
    return Descriptor(
      owning: try check("cannot watch for signals") {
        signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
      })
  }

  /// What the terminal sends goes to the whole foreground group, so the command has it already; what somebody sends to us
  /// alone is handed on.
  private func handOn(_ signals: Descriptor, to child: pid_t, isFirst: Bool = false) {
    var info = signalfd_siginfo()
    while read(signals.number, &info, MemoryLayout<signalfd_siginfo>.size)
      == MemoryLayout<signalfd_siginfo>.size
    {
      let number = Int32(info.ssi_signo)
      // A pipe that nobody reads is our own trouble.
      guard number != SIGCHLD, info.ssi_pid != UInt32(getpid()) else { continue }
      if isFirst || info.ssi_code != AwakeCommand.fromKernel { kill(child, number) }
      if AwakeCommand.stopping.contains(number) { AwakeCommand.obey(number) }
    }
  }

  /// Does what the signal does where it is not blocked; goes on after it.
  private static func obey(_ number: Int32) {
    kill(getpid(), number)
    blockSignals([number], false)
    blockSignals([number])
  }

  /// SI_KERNEL of <bits/siginfo-consts.h>.
  private static let fromKernel: Int32 = 0x80
}
