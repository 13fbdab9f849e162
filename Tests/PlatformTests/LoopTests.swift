import CLinux
import Glibc
import Harness
import Platform
import Testing

/// Runs a loop until `done` or for ten seconds.
private func run(_ loop: EventLoop, until done: () -> Bool) throws {
  let deadline = Clocks.monotonicMicroseconds() + 10_000_000
  while !done() {
    guard Clocks.monotonicMicroseconds() < deadline else {
      throw RunError(description: "it did not come about")
    }
    try loop.runOnce(waitingAtMost: 100_000)
  }
}

@Suite("The loop")
struct LoopTests {
  @Test("A timer that wakes the machine is refused with the reason where no clock can, or we may not")
  func wakingTimer() throws {
    var time = timespec()
    let hasClock = clock_gettime(CLOCK_REALTIME_ALARM, &time) == 0
    let descriptor = timerfd_create(CLOCK_REALTIME_ALARM, Int32(TFD_CLOEXEC))
    let mayWake = descriptor >= 0
    close(descriptor)
    var refusal: Int32?
    do throws(SystemError) {
      _ = try TimerSource(try EventLoop(), .wakingWall) {}
    } catch {
      refusal = error.code
    }
    #expect(refusal == (hasClock ? mayWake ? nil : EPERM : EOPNOTSUPP))
  }

  @Test(
    "A timer goes off once, not before its instant, on each clock",
    arguments: [TimerClock.wall, .boot, .monotonic])
  func timers(_ clock: TimerClock) throws {
    func now() -> Int64 {
      switch clock {
      case .wall, .wakingWall: Clocks.wallMicroseconds()
      case .boot: Clocks.bootMicroseconds()
      case .monotonic: Clocks.monotonicMicroseconds()
      }
    }
    let loop = try EventLoop()
    var times: [Int64] = []
    let timer = try TimerSource(loop, clock) { times.append(now()) }
    let due = now() + 30_000
    timer.arm(atMicroseconds: due)
    try run(loop) { !times.isEmpty }
    #expect(times[0] >= due)
    try loop.runOnce(waitingAtMost: 20_000)
    #expect(times.count == 1)
    timer.arm(atMicroseconds: now() - 1)
    timer.disarm()
    try loop.runOnce(waitingAtMost: 20_000)
    #expect(times.count == 1)
    timer.arm(atMicroseconds: 0)
    try run(loop) { times.count == 2 }
  }

  @Test("Messages of other threads arrive all and in order")
  func mailbox() throws {
    let loop = try EventLoop()
    let mailbox = try Mailbox<Int>()
    var got: [Int] = []
    let delivery = try mailbox.deliver(on: loop) { got.append($0) }
    try startThread("test-sender") { for number in 0..<10_000 { mailbox.send(number) } }
    try run(loop) { got.count == 10_000 }
    #expect(got == Array(0..<10_000))
    delivery.cancel()
  }

  @Test("Many changes in one round become one deferred call")
  func deferred() throws {
    let loop = try EventLoop()
    var calls = 0
    let work = try DeferredSource(loop) { calls += 1 }
    for _ in 0..<5 { work.schedule() }
    try run(loop) { calls > 0 }
    try loop.runOnce(waitingAtMost: 10_000)
    #expect(calls == 1)
  }

  @Test("A source that is cancelled says nothing more, even from within its own handler")
  func cancelling() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    var source: DescriptorSource?
    var calls = 0
    source = try DescriptorSource(loop, reading.number, .reading) { _ in
      calls += 1
      source = nil
    }
    _ = try writing.write([1])
    try run(loop) { calls == 1 }
    try loop.runOnce(waitingAtMost: 10_000)
    #expect(calls == 1 && source == nil)
  }

  @Test("A file that comes and goes in a folder is told by its name")
  func fileChanges() throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop()
    var names: [String] = []
    let watch = try FileChangeSource(loop, folder.path, mask: UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)) {
      name, _ in
      names.append(String(decoding: name, as: UTF8.self))
    }
    try folder.write([1], to: folder.file("x"))
    unlink(folder.path + "/x")
    try run(loop) { names.count == 2 }
    #expect(names == ["x", "x"])
    watch.cancel()
  }

  @Test("A clock that was not set is not told as set")
  func clockWatch() throws {
    let loop = try EventLoop()
    var told = 0
    let watch = try ClockWatch(loop) { told += 1 }
    try loop.runOnce(waitingAtMost: 20_000)
    #expect(told == 0)
    withExtendedLifetime(watch) {}
  }

  @Test("A child gets its words, environment and descriptors, and nothing else")
  func spawning() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    // Ours stay ours: only what is named in `descriptors` goes to the child.
    for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    let child = try spawn(
      ["/bin/sh", "-c", "echo \"$0 $A\"; ls /proc/self/fd | wc -l", "word"],
      environment: ["A": "b", "PATH": "/usr/bin:/bin"], descriptors: [(1, writing.number)])
    writing.close()
    var said: [UInt8] = []
    while let bytes = try reading.read(4096), !bytes.isEmpty { said += bytes }
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(ExitStatus(waitStatus: status) == .exited(0))
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "word b")
    #expect(throws: SystemError.self) { try spawn(["/nonexistent/program"]) }
  }
}
