import CALSA
import Glibc

/// Where at PulseAudio a device of ALSA's leads, by ALSA's configuration.
struct PulseRoute: Equatable {
  /// libpulse's name of the server; nil: its usual one.
  var server: String?
  /// nil: the server's default.
  var sink: String?

  /// What there is no other meaning in: anything else in a definition is left to ALSA.
  private static let known: Set<String> = ["type", "server", "device", "hint", "comment"]

  /// nil where `name` leads elsewhere, or by other plugins. Opens nothing. `snd_config_search_definition`.
  static func of(_ name: String) -> PulseRoute? {
    var configuration: OpaquePointer?
    guard snd_config_update_ref(&configuration) >= 0, let configuration else { return nil }
    defer { snd_config_unref(configuration) }
    // Somebody's own library for `type pulse`.
    if snd_config_search(configuration, "pcm_type.pulse", nil) >= 0 { return nil }
    var found: OpaquePointer?
    guard snd_config_search_definition(configuration, "pcm", name, &found) >= 0, let found else { return nil }
    defer { snd_config_delete(found) }
    guard text("type", in: found) == "pulse" else { return nil }
    let keys = keys(of: found)
    let (server, sink) = (text("server", in: found), text("device", in: found))
    // What is there and no text ALSA complains of.
    guard keys.isSubset(of: known), keys.contains("server") == (server != nil),
      keys.contains("device") == (sink != nil)
    else { return nil }
    return PulseRoute(server: server.flatMap(named), sink: sink.flatMap(named))
  }

  private static func named(_ text: String) -> String? { text.isEmpty ? nil : text }

  private static func keys(of definition: OpaquePointer) -> Set<String> {
    var keys: Set<String> = []
    var place = snd_config_iterator_first(definition)
    while place != snd_config_iterator_end(definition) {
      var key: UnsafePointer<CChar>?
      if snd_config_get_id(snd_config_iterator_entry(place), &key) >= 0, let key {
        keys.insert(String(cString: key))
      }
      place = snd_config_iterator_next(place)
    }
    return keys
  }

  private static func text(_ key: String, in definition: OpaquePointer) -> String? {
    var (entry, words): (OpaquePointer?, UnsafePointer<CChar>?)
    guard snd_config_search(definition, key, &entry) >= 0, snd_config_get_string(entry, &words) >= 0,
      let words
    else { return nil }
    return String(cString: words)
  }
}
