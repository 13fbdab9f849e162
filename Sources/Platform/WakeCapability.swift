import CLinux
import Glibc

/// The right to set the machine's clock to wake it, as a file gives it to whoever runs it (capabilities(7), setcap(8)).
public enum WakeCapability {
  /// As setcap(8) writes it: permitted, and in effect from the start.
  public static let words = "cap_wake_alarm+ep"

  /// The file gives it. It need not come to anything: not on a file system that is mounted `nosuid`, nor below a process
  /// that set `no_new_privs`. Any thread; may wait for a disk.
  public static func isSet(on path: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = getxattr(path, "security.capability", &bytes, bytes.count)
    // struct vfs_cap_data (linux/capability.h), little endian: version and flags, then two words of permitted and
    // inheritable for capabilities 0 to 31, then two for those from 32.
    let group = 4 + 8 * Int(CAP_WAKE_ALARM / 32)
    guard count >= group + 8 else { return false }
    let permitted = bytes[group + Int(CAP_WAKE_ALARM % 32) / 8]
    return bytes[0] & UInt8(VFS_CAP_FLAGS_EFFECTIVE) != 0 && permitted & 1 << UInt8(CAP_WAKE_ALARM % 8) != 0
  }
}
