import CSystemd
import Platform

/// Where a call goes.
public struct BusTarget: Hashable, Sendable {
  public var destination: String
  public var path: String
  public var interface: String

  public init(_ destination: String, _ path: String, _ interface: String) {
    (self.destination, self.path, self.interface) = (destination, path, interface)
  }

  static let bus = BusTarget("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
}

extension Bus {
  /// How long an answer may take.
  public enum Patience: Sendable {
    case span(Duration)
    /// Until it comes or the callee leaves the bus, which its daemon tells.
    case endless
  }

  /// Calls a method; `answer` is called once, on the loop: with the reply, with the peer's error, or with
  /// `BusError.disconnected` (within this call where there is no connection now). `sd_bus_call_async`.
  ///
  /// `starting`: lets the bus start a service for the name.
  public func call(
    _ target: BusTarget, _ member: String, _ arguments: [BusValue] = [], starting: Bool = true,
    patience: Patience = .span(.seconds(25)),
    answer: @escaping (Result<Received, BusError>) -> Void = { _ in }
  ) {
    guard isConnected, let pointer else { return answer(.failure(.disconnected)) }
    do throws(BusError) {
      var raw: OpaquePointer?
      let made = sd_bus_message_new_method_call(
        pointer, &raw, target.destination, target.path, target.interface, member)
      guard made >= 0, let raw else { throw .failed("cannot make a message for the bus", made) }
      let message = Message(owning: raw)
      sd_bus_message_set_auto_start(raw, starting ? 1 : 0)
      try message.append(arguments)
      let call = PendingCall(self, answer)
      try call.send(message, patience)
      pending[ObjectIdentifier(call)] = call
    } catch {
      answer(.failure(error))
    }
  }

  /// Sends a signal to whoever listens; nothing where there is no connection.
  public func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
    guard isConnected, let pointer else { return }
    do throws(BusError) {
      var raw: OpaquePointer?
      let made = sd_bus_message_new_signal(pointer, &raw, path, interface, member)
      guard made >= 0, let raw else { throw .failed("cannot make a message for the bus", made) }
      let message = Message(owning: raw)
      try message.append(arguments)
      let sent = sd_bus_send(pointer, raw, nil)
      if sent < 0 { throw .failed("cannot send a message to the bus", sent) }
    } catch {
      Log.warning("the signal \(member) was not sent: \(error)")
    }
  }
}

/// A call that has not been answered.
final class PendingCall {
  private weak var bus: Bus?
  private var answer: ((Result<Received, BusError>) -> Void)?
  private var slot: OpaquePointer?

  init(_ bus: Bus, _ answer: @escaping (Result<Received, BusError>) -> Void) {
    (self.bus, self.answer) = (bus, answer)
  }

  deinit { sd_bus_slot_unref(slot) }

  func send(_ message: Message, _ patience: Bus.Patience) throws(BusError) {
    let microseconds =
      switch patience {
      case .span(let span): UInt64(max(1, span / .microseconds(1)))
      case .endless: UInt64.max
      }
    // Unretained: the bus holds this object until the answer, and the slot goes with it.
    let sent = sd_bus_call_async(
      bus?.pointer, &slot, message.pointer,
      { message, context, _ in
        guard let message, let context else { return 0 }
        Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue().arrived(Message(borrowing: message))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), microseconds)
    if sent < 0 { throw .failed("cannot send a message to the bus", sent) }
  }

  private func arrived(_ message: Message) {
    let me = bus?.pending.removeValue(forKey: ObjectIdentifier(self))
    defer { withExtendedLifetime(me) {} }
    if let error = message.error { return end(.failure(error)) }
    do throws(BusError) {
      end(.success(try message.received()))
    } catch {
      end(.failure(error))
    }
  }

  func end(_ result: Result<Received, BusError>) {
    sd_bus_slot_unref(slot)
    slot = nil
    let told = answer
    answer = nil
    told?(result)
  }
}
