// What an exported object answers.
extension ExportedObject {
  static let properties = "org.freedesktop.DBus.Properties"
  private static let introspectable = "org.freedesktop.DBus.Introspectable"

  func answer(_ call: Received) throws(BusError) -> [BusValue] {
    switch (call.interface, call.member) {
    case (ExportedObject.properties, "Get"):
      try require(call, "ss")
      let property = try property(call)
      return [.variant(property.read())]
    case (ExportedObject.properties, "GetAll"):
      try require(call, "s")
      let name = call[0]?.text ?? ""
      // An empty name means all there are.
      let named = interfaces.filter { $0.name == name || name.isEmpty }
      if named.isEmpty { throw .refused("UnknownInterface", "there is no interface “\(name)” here") }
      return [.properties(named.flatMap(\.properties).map { ($0.name, $0.read()) })]
    case (ExportedObject.properties, "Set"):
      try require(call, "ssv")
      let property = try property(call)
      guard let write = property.write else {
        throw .refused("PropertyReadOnly", "“\(property.name)” cannot be set")
      }
      guard case .variant(let value)? = call[2], value.typeSignature == property.signature else {
        throw .refused("InvalidArgs", "“\(property.name)” has the type \(property.signature)")
      }
      try write(value)
      return []
    case (ExportedObject.introspectable, "Introspect"):
      return [.string(description)]
    default:
      let methods = interfaces.filter { $0.name == call.interface || call.interface.isEmpty }
        .flatMap(\.methods)
      guard let method = methods.first(where: { $0.name == call.member }) else {
        throw .refused("UnknownMethod", "there is no method “\(call.member)” here")
      }
      try require(call, method.takes)
      return try method.body(call)
    }
  }

  private func require(_ call: Received, _ signature: String) throws(BusError) {
    if call.signature != signature {
      throw .refused("InvalidArgs", "“\(call.member)” takes “\(signature)”, not “\(call.signature)”")
    }
  }

  private func property(_ call: Received) throws(BusError) -> BusProperty {
    let (interface, name) = (call[0]?.text ?? "", call[1]?.text ?? "")
    let named = interfaces.filter { $0.name == interface || interface.isEmpty }
    guard let property = named.flatMap(\.properties).first(where: { $0.name == name }) else {
      throw .refused("UnknownProperty", "there is no property “\(name)” here")
    }
    return property
  }

  /// Introspection data (D-Bus specification, “Introspection Data Format”). All names in it are ours.
  private var description: String {
    var lines = ["<node>"]
    for interface in interfaces + [ExportedObject.standard] {
      lines.append("<interface name=\"\(interface.name)\">")
      for method in interface.methods {
        lines.append("<method name=\"\(method.name)\">")
        lines += arguments(method.takes, "in") + arguments(method.gives, "out") + ["</method>"]
      }
      for signal in interface.signals {
        lines.append("<signal name=\"\(signal.name)\">")
        lines += arguments(signal.signature, nil) + ["</signal>"]
      }
      for property in interface.properties {
        let access = property.write == nil ? "read" : "readwrite"
        lines.append(
          "<property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\">")
        lines.append(
          "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(property.isSignalled)\"/>"
        )
        lines.append("</property>")
      }
      lines.append("</interface>")
    }
    return (lines + ["</node>"]).joined(separator: "\n")
  }

  private func arguments(_ signature: String, _ direction: String?) -> [String] {
    let side = direction.map { " direction=\"\($0)\"" } ?? ""
    return completeTypes(signature).map { "<arg type=\"\($0)\"\(side)/>" }
  }

  private static var standard: BusInterface {
    BusInterface(
      ExportedObject.properties,
      methods: [
        BusMethod("Get", takes: "ss", gives: "v") { _ in [] },
        BusMethod("GetAll", takes: "s", gives: "a{sv}") { _ in [] },
        BusMethod("Set", takes: "ssv") { _ in [] },
      ], signals: [("PropertiesChanged", "sa{sv}as")])
  }
}

/// A signature taken apart into its single complete types.
func completeTypes(_ signature: String) -> [String] {
  var types: [String] = []
  var type = ""
  var depth = 0
  for character in signature {
    type.append(character)
    if "({".contains(character) { depth += 1 }
    if ")}".contains(character) { depth -= 1 }
    if depth == 0, character != "a" {
      types.append(type)
      type = ""
    }
  }
  return types
}
