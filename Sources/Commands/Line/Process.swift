import CLinux
import Engine
import Glibc
import Platform
import Screen
import Wire

extension Surroundings {
  /// The real things.
  static func ofProcess() -> Surroundings {
    let paths = Paths.current()
    let outside = Surroundings(
      environment: currentEnvironment(), paths: paths,
      currentFolder: { () throws(SystemError) in try FileName.currentFolder() },
      write: { descriptor, bytes throws(SystemError) in try writeWhole(bytes, to: descriptor) },
      connect: { starting throws(WireError) in
        starting ? try Connect.toEngine(paths) : try Connect.toRunningEngine(paths)
      },
      runScreen: { opening in
        var options = ScreenSettings.options(ScreenSettings.inForce(paths))
        options.opening = opening
        options.running = {
          ScreenWords.run($0, columns: $1, environment: currentEnvironment(), paths: paths)
        }
        return TerminalScreen.run(paths: paths, options)
      },
      runEngine: { EngineProcess.run($0) })
    outside.inputIsTerminal = isatty(0) == 1
    outside.outputIsTerminal = isatty(1) == 1
    outside.errorIsTerminal = isatty(2) == 1
    outside.columns = {
      var (rows, columns): (UInt16, UInt16) = (0, 0)
      return reveille_terminal_size(1, &rows, &columns) == 0 && columns > 0 ? Int(columns) : 80
    }
    outside.useSystem(paths)
    outside.runAwake = { [unowned outside] command, params in
      AwakeCommand(command, params, paths) { outside.complain($0) }.run()
    }
    outside.runAtTerminal = { words throws(SystemError) in
      // In our own process group, so that it may read from the terminal.
      let process = try spawn(words)
      var status: Int32 = 0
      try check("cannot wait for “\(clean(words[0]))”") { waitpid(process, &status, 0) }
      return ExitStatus(waitStatus: status)
    }
    outside.endWithin = { _ = Glibc.alarm($0) }
    outside.readLine = { Swift.readLine() }
    outside.endWithReader = {
      // Without it the reader's end is noticed at the next line, as always.
      _ = try? startThread("alarm-reader") {
        var output = pollfd(fd: 1, events: 0, revents: 0)
        // A pipe without a reader is an error, and asked for or not it is told.
        while poll(&output, 1, -1) < 0, errno == EINTR {}
        if Int32(output.revents) & POLLERR != 0 { _exit(0) }
      }
    }
    return outside
  }
}

extension Surroundings {
  /// What a command needs of the system, whether it was typed in a shell or on the screen.
  func useSystem(_ paths: Paths) {
    awaitEngineEnd = {
      let deadline = Clocks.monotonicMicroseconds() + 5_000_000
      while EngineLock.isHeld(paths) {
        guard Clocks.monotonicMicroseconds() < deadline else { return false }
        usleep(10_000)
      }
      return true
    }
    runTool = { words throws(SystemError) in try Platform.runTool(words) }
    examineAlone = { reason throws(Complaint) in
      do throws(SystemError) {
        return try DoctorAlone.examine(paths, because: reason, judge: ScreenSettings.problems)
      } catch {
        throw .failed(error.description)
      }
    }
  }
}

/// write(2) until all is written. A pipe that somebody else made non-blocking is waited for.
private func writeWhole(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let wrote = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if wrote >= 0 {
      rest = rest.dropFirst(wrote)
      continue
    }
    switch errno {
    case EINTR: continue
    case EAGAIN:
      var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = Glibc.poll(&poll, 1, -1)
    case let code: throw SystemError("cannot write", code: code)
    }
  }
}
