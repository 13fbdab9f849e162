import CSystemd
import Platform

/// A method that others may call.
public struct BusMethod {
  public var name: String
  /// Signatures of the arguments and of the answer.
  public var takes: String
  public var gives: String
  public var body: (Received) throws(BusError) -> [BusValue]

  public init(
    _ name: String, takes: String = "", gives: String = "",
    _ body: @escaping (Received) throws(BusError) -> [BusValue]
  ) {
    (self.name, self.takes, self.gives, self.body) = (name, takes, gives, body)
  }
}

/// A property that others may read, and write where `write` is there.
public struct BusProperty {
  public var name: String
  public var signature: String
  /// Whether `PropertiesChanged` tells of it.
  public var isSignalled: Bool
  public var read: () -> BusValue
  public var write: ((BusValue) throws(BusError) -> Void)?

  public init(
    _ name: String, _ signature: String, isSignalled: Bool = true, read: @escaping () -> BusValue,
    write: ((BusValue) throws(BusError) -> Void)? = nil
  ) {
    (self.name, self.signature, self.isSignalled) = (name, signature, isSignalled)
    (self.read, self.write) = (read, write)
  }
}

/// An interface of an exported object.
public struct BusInterface {
  public var name: String
  public var methods: [BusMethod]
  public var properties: [BusProperty]
  /// Names and signatures, for whoever asks what there is.
  public var signals: [(name: String, signature: String)]

  public init(
    _ name: String, methods: [BusMethod] = [], properties: [BusProperty] = [],
    signals: [(name: String, signature: String)] = []
  ) {
    (self.name, self.methods, self.properties, self.signals) = (name, methods, properties, signals)
  }
}

/// An object that others find at a path, on every connection as long as it lives; it answers for its properties and says
/// what it has (`org.freedesktop.DBus.Properties`, `.Introspectable`). `sd_bus_add_object`.
public final class ExportedObject: BusPart {
  let bus: Bus
  public let path: String
  let interfaces: [BusInterface]
  private var slot: OpaquePointer?

  public init(_ bus: Bus, _ path: String, _ interfaces: [BusInterface]) {
    (self.bus, self.path, self.interfaces) = (bus, path, interfaces)
    bus.add(self)
  }

  deinit { sd_bus_slot_unref(slot) }

  /// Tells who listens that these properties have other values.
  public func tellChanged(_ names: [String], of interface: String) {
    guard let changed = interfaces.first(where: { $0.name == interface }) else { return }
    let values = changed.properties.filter { $0.isSignalled && names.contains($0.name) }
    guard !values.isEmpty else { return }
    bus.emit(
      path, ExportedObject.properties, "PropertiesChanged",
      [.string(interface), .properties(values.map { ($0.name, $0.read()) }), .strings([])])
  }

  public func emit(_ interface: String, _ signal: String, _ arguments: [BusValue]) {
    bus.emit(path, interface, signal, arguments)
  }

  func connected() {
    let result = sd_bus_add_object(
      bus.pointer, &slot, path,
      { message, context, _ in
        guard let message, let context else { return 0 }
        let me = Unmanaged<ExportedObject>.fromOpaque(context).takeUnretainedValue()
        return me.called(Message(borrowing: message)) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    if result < 0 { Log.warning("no object on the bus: \(SystemError.reason(-result))") }
  }

  func disconnected() {
    sd_bus_slot_unref(slot)
    slot = nil
  }

  /// Always answers; false where it was no call.
  private func called(_ message: Message) -> Bool {
    guard sd_bus_message_is_method_call(message.pointer, nil, nil) > 0 else { return false }
    do throws(BusError) {
      try reply(to: message, try answer(try message.received()))
    } catch {
      refuse(message, error)
    }
    return true
  }

  private func refuse(_ message: Message, _ error: BusError) {
    error.name.withCString { name in
      busText(error.message).withCString { words in
        var error = sd_bus_error(name: name, message: words, _need_free: 0)
        _ = sd_bus_reply_method_error(message.pointer, &error)
      }
    }
  }

  private func reply(to message: Message, _ values: [BusValue]) throws(BusError) {
    var raw: OpaquePointer?
    let made = sd_bus_message_new_method_return(message.pointer, &raw)
    guard made >= 0, let raw else { throw .failed("cannot make a message for the bus", made) }
    let reply = Message(owning: raw)
    try reply.append(values)
    let sent = sd_bus_send(nil, reply.pointer, nil)
    if sent < 0 { throw .failed("cannot send a message to the bus", sent) }
  }
}

extension BusError {
  static func refused(_ kind: String, _ sentence: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.\(kind)", sentence)
  }
}
