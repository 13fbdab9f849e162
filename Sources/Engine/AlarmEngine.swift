import Glibc
import Platform
import Wire

final class AlarmEngine {
  let loop: EventLoop
  let options: EngineOptions
  init(_ loop: EventLoop, _ options: EngineOptions) throws { (self.loop, self.options) = (loop, options) }
  func start() throws {}
}
