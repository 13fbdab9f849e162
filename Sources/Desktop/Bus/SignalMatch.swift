import CSystemd
import Platform

/// Signals that are listened to as long as this object lives, on every connection anew. `sd_bus_add_match_async`.
public final class SignalMatch: BusPart {
  private let bus: Bus
  private let rule: String
  private let handler: (Received) -> Void
  private var slot: OpaquePointer?

  /// `first`: the value of the first argument, where only such signals are meant. The bus hands on what the name's owner
  /// sent, but anybody can send a signal to us alone: compare `Received.sender` where it matters.
  public init(
    _ bus: Bus, from sender: String, path: String? = nil, interface: String, member: String,
    first: String? = nil, _ handler: @escaping (Received) -> Void
  ) {
    self.bus = bus
    self.handler = handler
    var parts = [("type", "signal"), ("sender", sender), ("interface", interface), ("member", member)]
    if let path { parts.append(("path", path)) }
    if let first { parts.append(("arg0", first)) }
    // None of these ever holds an apostrophe: they are names of D-Bus.
    rule = parts.map { "\($0.0)='\($0.1)'" }.joined(separator: ",")
    bus.add(self)
  }

  deinit { sd_bus_slot_unref(slot) }

  func connected() {
    let result = sd_bus_add_match_async(
      bus.pointer, &slot, rule,
      { message, context, _ in
        guard let message, let context else { return 0 }
        Unmanaged<SignalMatch>.fromOpaque(context).takeUnretainedValue().arrived(Message(borrowing: message))
        return 0
      },
      { message, _, _ in
        // Without this, libsystemd would close the connection where the bus refuses.
        if let message, let error = Message(borrowing: message).error {
          Log.warning("the bus refuses to hand on signals: \(error)")
        }
        return 1
      }, Unmanaged.passUnretained(self).toOpaque())
    if result < 0 { Log.warning("no signals of the bus: \(SystemError.reason(-result))") }
  }

  func disconnected() {
    sd_bus_slot_unref(slot)
    slot = nil
  }

  private func arrived(_ message: Message) {
    do throws(BusError) {
      handler(try message.received())
    } catch {
      Log.debug("a signal was passed over: \(error)")
    }
  }
}
