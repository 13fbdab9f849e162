import Glibc

/// How long a library may look for something in a file before the file seems to end.
///
/// What a file holds must not keep a worker for ever: libFLAC looks without end for a frame in what stands behind the
/// last one, and libmpg123 passes over gigabytes of noughts byte by byte.
struct Patience {
  private let clock: clockid_t
  private let end: Int64

  /// All time counts, that of a slow disk too: for what somebody waits for.
  static func waiting(_ limit: Duration) -> Patience { Patience(CLOCK_MONOTONIC, limit) }

  /// Only what the calling thread works counts: a disk that has to spin up first ends no track.
  static func working(_ limit: Duration) -> Patience { Patience(CLOCK_THREAD_CPUTIME_ID, limit) }

  /// For a call of which nothing is known but that it should be short.
  static var usual: Patience { .working(.seconds(1)) }

  private init(_ clock: clockid_t, _ limit: Duration) {
    let (seconds, fraction) = limit.components
    self.clock = clock
    end = Patience.nanoseconds(clock) + seconds * 1_000_000_000 + fraction / 1_000_000_000
  }

  var isOver: Bool { Patience.nanoseconds(clock) > end }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
