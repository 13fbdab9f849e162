import Platform

/// A call that was answered by an error, or not at all.
public struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
  /// D-Bus's name of it: `org.freedesktop.DBus.Error.ServiceUnknown`.
  public let name: String
  /// The peer's words, sanitised.
  public let message: String

  public init(_ name: String, _ message: String = "") {
    self.name = clean(name, atMost: 255)
    self.message = clean(message, atMost: 500)
  }

  public var description: String { message.isEmpty ? name : message }

  /// There is no connection, or it was lost before the answer came.
  public static let disconnected = BusError("org.freedesktop.DBus.Error.Disconnected", "there is no bus")
  /// The answer is none of the shape that was asked for.
  public static let wrongAnswer = BusError(
    "org.freedesktop.DBus.Error.InvalidArgs", "the answer has another shape than it should have")

  static func failed(_ attempt: String, _ code: Int32) -> BusError {
    BusError(
      "org.freedesktop.DBus.Error.Failed", SystemError(attempt, code: code < 0 ? -code : code).description)
  }

  /// Nobody has the name that was called, and nobody can be started for it.
  public var isNobodyThere: Bool {
    let base = "org.freedesktop.DBus.Error."
    return [
      base + "ServiceUnknown", base + "NameHasNoOwner", base + "Spawn.ServiceNotFound", base + "Disconnected",
    ].contains(name) || name.hasPrefix(base + "Spawn.")
  }
}
