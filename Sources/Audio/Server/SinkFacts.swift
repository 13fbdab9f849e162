import CPulse

/// What tells one kind of sink from another: the few properties that matter, read once.
struct SinkFacts {
  var name = ""
  var driver = ""
  var formFactor = ""
  var bus = ""
  var factory = ""
  var portName = ""
  var portType: UInt32 = 0
  var portIsOut = false

  /// PulseAudio's null sink, `auto_null` (what either server makes when nothing else is left), and PipeWire's.
  ///
  /// A null sink whose monitor is sent on to a real speaker is heard: whoever made it so can say it with
  /// `device.form_factor`, which no null sink has by itself.
  var isNull: Bool {
    if name == "auto_null" || name.hasPrefix("auto_null.") { return true }
    let swallows = driver == "module-null-sink.c" || factory == "support.null-audio-sink"
    return swallows && formFactor.isEmpty
  }

  var kind: ServerView.Kind {
    if bus == "bluetooth" || name.hasPrefix("bluez") { return .bluetooth }
    let port = portName.lowercased()
    // Debian's libpulse knows a port's type (since 14), older servers only its name.
    switch Int(portType) {
    case 3, 5, 7, 8, 17: return .headphones
    case 10, 11, 13: return .hdmi
    case 2, 16, 18, 19: return .speaker
    default: break
    }
    if port.contains("headphone") || port.contains("headset") { return .headphones }
    if port.contains("hdmi") || port.contains("displayport") { return .hdmi }
    if port.contains("speaker") { return .speaker }
    switch formFactor {
    case "headphone", "headset", "hands-free", "handset": return .headphones
    case "tv": return .hdmi
    case "speaker", "internal", "car", "hifi", "portable": return .speaker
    default: break
    }
    return name.contains("hdmi") ? .hdmi : .other
  }

  init() {}

  init(_ sink: pa_sink_info) {
    name = text(sink.name)
    driver = text(sink.driver)
    formFactor = property(sink.proplist, PA_PROP_DEVICE_FORM_FACTOR)
    bus = property(sink.proplist, PA_PROP_DEVICE_BUS)
    factory = property(sink.proplist, "factory.name")
    if let port = sink.active_port {
      portName = text(port.pointee.name)
      portType = port.pointee.type
      portIsOut = port.pointee.available == Int32(PA_PORT_AVAILABLE_NO.rawValue)
    }
  }
}

/// A C string; empty where there is none.
func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

/// A property that is text (`pa_proplist_gets`); empty where there is none.
func property(_ list: OpaquePointer?, _ key: String) -> String {
  list.map { text(pa_proplist_gets($0, key)) } ?? ""
}
