import Platform

/// A value as D-Bus has it (the specification's “Type System”). What comes in is decoded into these with bounds on its
/// size and depth, so that nobody has to trust the types a peer sent.
public indirect enum BusValue: Equatable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  case descriptor(PassedDescriptor)
  /// Elements of one signature, which an empty one has too.
  case array(of: String, [BusValue])
  /// An element of a dictionary.
  case entry(BusValue, BusValue)
  case structure([BusValue])
  case variant(BusValue)

  /// `as`.
  public static func strings(_ texts: [String]) -> BusValue { .array(of: "s", texts.map(BusValue.string)) }

  /// `a{ss}`.
  public static func texts(_ pairs: [(key: String, value: String)]) -> BusValue {
    .array(of: "{ss}", pairs.map { .entry(.string($0.key), .string($0.value)) })
  }

  /// `a{sv}`.
  public static func properties(_ pairs: [(key: String, value: BusValue)]) -> BusValue {
    .array(of: "{sv}", pairs.map { .entry(.string($0.key), .variant($0.value)) })
  }

  /// Its type's signature.
  public var typeSignature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .array(let element, _): "a" + element
    case .entry(let key, let value): "{" + key.typeSignature + value.typeSignature + "}"
    case .structure(let fields): "(" + fields.map(\.typeSignature).joined() + ")"
    case .variant: "v"
    }
  }

  // MARK: Reading what came in; nil where it is something else

  /// What is inside, however many variants are around it.
  public var unwrapped: BusValue {
    if case .variant(let inner) = self { inner.unwrapped } else { self }
  }

  public var text: String? {
    switch unwrapped {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  public var truth: Bool? { if case .bool(let truth) = unwrapped { truth } else { nil } }

  /// Any whole number that fits.
  public var number: Int64? {
    switch unwrapped {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    default: nil
    }
  }

  public var real: Double? {
    if case .double(let number) = unwrapped { number } else { number.map(Double.init) }
  }

  public var elements: [BusValue]? { if case .array(_, let elements) = unwrapped { elements } else { nil } }

  /// The texts of an array; what is none is left out.
  public var textElements: [String]? { elements?.compactMap(\.text) }

  /// The value under a text key of a dictionary.
  public subscript(key key: String) -> BusValue? {
    for element in elements ?? [] {
      if case .entry(let name, let value) = element, name.text == key { return value.unwrapped }
    }
    return nil
  }
}

/// A descriptor that came in a message; ours to close.
public struct PassedDescriptor: Equatable, Sendable {
  public let descriptor: Descriptor
  public init(_ descriptor: Descriptor) { self.descriptor = descriptor }
  public static func == (left: PassedDescriptor, right: PassedDescriptor) -> Bool {
    left.descriptor === right.descriptor
  }
}

/// Text that D-Bus carries: without NUL and without Unicode's noncharacters, for which a bus closes the connection or
/// libsystemd refuses the message.
func busText(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 > 0 && $0 < 0x80 }) { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    let value = scalar.value
    let isCarried = value != 0 && value & 0xfffe != 0xfffe && !(0xfdd0...0xfdef).contains(value)
    result.append(isCarried ? scalar : "\u{fffd}")
  }
  return String(result)
}
