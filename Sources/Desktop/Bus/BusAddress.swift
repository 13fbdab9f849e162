import Glibc

/// Where a bus is, as its environment variable or the custom says (D-Bus specification, “Server Addresses”).
struct BusAddress: Equatable {
  /// What libsystemd is given: the local sockets among the addresses. Others (`tcp:`, `unixexec:`, `autolaunch:`) ask a
  /// name server or start a program, and that would stop the loop.
  let text: String
  /// The socket's path, where it has one, so that its coming can be watched for.
  let socketPath: String?

  init?(_ kind: Bus.Kind, environment: [String: String]) {
    let given: String
    switch kind {
    case .session:
      let folder = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      given =
        environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        ?? "unix:path=" + BusAddress.escaped((folder ?? "/run/user/\(getuid())") + "/bus")
    case .system:
      given =
        environment["DBUS_SYSTEM_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        ?? "unix:path=/run/dbus/system_bus_socket"
    }
    let local = given.split(separator: ";").filter { $0.hasPrefix("unix:") }
    guard let first = local.first else { return nil }
    text = local.joined(separator: ";")
    let path = first.dropFirst(5).split(separator: ",").first { $0.hasPrefix("path=") }?.dropFirst(5)
    socketPath = path.map(BusAddress.unescaped).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// All but the characters that the specification lets stand become `%XX`.
  static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { result, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f, 0x2f, 0x2e, 0x5c, 0x2a:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
  }

  static func unescaped(_ text: some StringProtocol) -> String {
    let given = Array(text.utf8)
    var bytes: [UInt8] = []
    var place = 0
    while place < given.count {
      let digits = String(decoding: given[place...].dropFirst().prefix(2), as: UTF8.self)
      if given[place] == UInt8(ascii: "%"), digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) {
        bytes.append(byte)
        place += 3
      } else {
        bytes.append(given[place])
        place += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
