import CSystemd
import Glibc
import Platform

/// What came in a message: a reply, a signal or a call, decoded. Texts are as they were sent.
public struct Received: Sendable {
  public var sender = ""
  public var path = ""
  public var interface = ""
  public var member = ""
  /// The signature of all arguments together.
  public var signature = ""
  public var arguments: [BusValue] = []

  /// The argument at that place; nil where there is none.
  public subscript(place: Int) -> BusValue? { arguments.indices.contains(place) ? arguments[place] : nil }
}

/// One `sd_bus_message`, held as long as this object lives. On the loop's thread.
final class Message {
  let pointer: OpaquePointer

  /// Takes over a reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }
  /// Takes a reference of its own.
  init(borrowing pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) ?? pointer }
  deinit { sd_bus_message_unref(pointer) }

  // MARK: Writing

  func append(_ values: [BusValue]) throws(BusError) {
    for value in values { try append(value) }
  }

  func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .byte(let number): try append("y", number)
    // sd-bus reads and writes an int here.
    case .bool(let truth): try append("b", Int32(truth ? 1 : 0))
    case .int16(let number): try append("n", number)
    case .uint16(let number): try append("q", number)
    case .int32(let number): try append("i", number)
    case .uint32(let number): try append("u", number)
    case .int64(let number): try append("x", number)
    case .uint64(let number): try append("t", number)
    case .double(let number): try append("d", number)
    case .string(let text): try append("s", text: busText(text))
    case .objectPath(let text): try append("o", text: text)
    case .signature(let text): try append("g", text: text)
    case .descriptor(let passed): try append("h", passed.descriptor.number)
    case .array(let element, let values): try append(container: "a", element, values)
    case .entry(let key, let value):
      try append(container: "e", key.typeSignature + value.typeSignature, [key, value])
    case .structure(let fields): try append(container: "r", fields.map(\.typeSignature).joined(), fields)
    case .variant(let inner): try append(container: "v", inner.typeSignature, [inner])
    }
  }

  private func append<Number>(_ type: Unicode.Scalar, _ number: Number) throws(BusError) {
    var number = number
    try Message.checked(
      withUnsafeBytes(of: &number) { sd_bus_message_append_basic(pointer, CChar(type.value), $0.baseAddress) }
    )
  }

  private func append(_ type: Unicode.Scalar, text: String) throws(BusError) {
    try Message.checked(text.withCString { sd_bus_message_append_basic(pointer, CChar(type.value), $0) })
  }

  private func append(container type: Unicode.Scalar, _ contents: String, _ values: [BusValue])
    throws(BusError)
  {
    try Message.checked(sd_bus_message_open_container(pointer, CChar(type.value), contents))
    try append(values)
    try Message.checked(sd_bus_message_close_container(pointer))
  }

  private static func checked(_ result: Int32) throws(BusError) {
    if result < 0 { throw .failed("cannot write a message for the bus", result) }
  }

  // MARK: Reading

  /// Its head and its arguments.
  func received() throws(BusError) -> Received {
    var result = Received()
    result.sender = Message.text(sd_bus_message_get_sender(pointer))
    result.path = Message.text(sd_bus_message_get_path(pointer))
    result.interface = Message.text(sd_bus_message_get_interface(pointer))
    result.member = Message.text(sd_bus_message_get_member(pointer))
    result.signature = Message.text(sd_bus_message_get_signature(pointer, 1))
    sd_bus_message_rewind(pointer, 1)
    var reader = MessageReader(pointer: pointer)
    result.arguments = try reader.values()
    return result
  }

  /// The error it carries, where it carries one.
  var error: BusError? {
    guard let error = sd_bus_message_get_error(pointer) else { return nil }
    return BusError(
      Message.text(error.pointee.name), Message.text(error.pointee.message))
  }

  static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}

/// Decodes arguments, up to bounds that no honest message meets here.
private struct MessageReader {
  let pointer: OpaquePointer
  var elementsLeft = 50_000
  var bytesLeft = 4 << 20

  mutating func values(depth: Int = 0) throws(BusError) -> [BusValue] {
    var result: [BusValue] = []
    while true {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      let found = sd_bus_message_peek_type(pointer, &type, &contents)
      if found < 0 { throw .failed("cannot read a message of the bus", found) }
      if found == 0 { return result }
      elementsLeft -= 1
      guard elementsLeft > 0, depth < 32 else { throw tooLarge }
      let inside = contents.map { String(cString: $0) } ?? ""
      result.append(try value(UInt8(bitPattern: type), inside, depth))
    }
  }

  private mutating func value(_ type: UInt8, _ contents: String, _ depth: Int) throws(BusError) -> BusValue {
    switch Unicode.Scalar(type) {
    case "y": return .byte(try basic(type, 0))
    case "b": return .bool(try basic(type, Int32(0)) != 0)
    case "n": return .int16(try basic(type, 0))
    case "q": return .uint16(try basic(type, 0))
    case "i": return .int32(try basic(type, 0))
    case "u": return .uint32(try basic(type, 0))
    case "x": return .int64(try basic(type, 0))
    case "t": return .uint64(try basic(type, 0))
    case "d": return .double(try basic(type, 0))
    case "s": return .string(try text(type))
    case "o": return .objectPath(try text(type))
    case "g": return .signature(try text(type))
    case "h":
      // Borrowed from the message, which closes it.
      let copy = fcntl(try basic(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
      if copy < 0 { throw .failed("cannot keep a descriptor of the bus", errno) }
      return .descriptor(PassedDescriptor(Descriptor(owning: copy)))
    case "a": return .array(of: contents, try container(type, contents, depth))
    case "r": return .structure(try container(type, contents, depth))
    case "v":
      guard let inner = try container(type, contents, depth).first else { throw .wrongAnswer }
      return .variant(inner)
    case "e":
      let pair = try container(type, contents, depth)
      guard pair.count == 2 else { throw .wrongAnswer }
      return .entry(pair[0], pair[1])
    default: throw .wrongAnswer
    }
  }

  private func basic<Number>(_ type: UInt8, _ start: Number) throws(BusError) -> Number {
    var number = start
    let result = withUnsafeMutableBytes(of: &number) {
      sd_bus_message_read_basic(pointer, CChar(type), $0.baseAddress)
    }
    if result < 0 { throw .failed("cannot read a message of the bus", result) }
    return number
  }

  private mutating func text(_ type: UInt8) throws(BusError) -> String {
    let start: UnsafePointer<CChar>? = nil
    guard let characters = try basic(type, start) else { throw .wrongAnswer }
    bytesLeft -= strlen(characters)
    if bytesLeft < 0 { throw tooLarge }
    return String(cString: characters)
  }

  private mutating func container(_ type: UInt8, _ contents: String, _ depth: Int) throws(BusError)
    -> [BusValue]
  {
    let entered = sd_bus_message_enter_container(pointer, CChar(type), contents)
    if entered < 0 { throw .failed("cannot read a message of the bus", entered) }
    let result = try values(depth: depth + 1)
    let left = sd_bus_message_exit_container(pointer)
    if left < 0 { throw .failed("cannot read a message of the bus", left) }
    return result
  }

  private var tooLarge: BusError {
    BusError("org.freedesktop.DBus.Error.LimitsExceeded", "the message is larger than any should be")
  }
}
