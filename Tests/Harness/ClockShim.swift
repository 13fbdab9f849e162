import Glibc
import Platform

/// A library for LD_PRELOAD that makes a machine look as if it had a clock that wakes it: the one question by which that is
/// told, the time of CLOCK_REALTIME_ALARM, is answered with that of CLOCK_REALTIME. Everything else stays the kernel's.
public enum ClockShim {
  private static let source = """
    #include <time.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    int clock_gettime(clockid_t clock, struct timespec *time) {
      return syscall(SYS_clock_gettime, clock == CLOCK_REALTIME_ALARM ? CLOCK_REALTIME : clock, time);
    }
    """

  /// Compiles it with Swift's own clang; its path.
  public static func make(in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/clock.so"
    try runOrThrow(["clang", "-shared", "-fPIC", "-x", "c", "-", "-o", path], input: Array(source.utf8))
    chmod(path, 0o755)
    return path
  }
}
