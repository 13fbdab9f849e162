import CALSA
import Platform

/// A device that was opened by its name, and not the clock that stands in for one.
protocol OpenDevice: SoundDevice {
  /// ALSA's name of it.
  var name: String { get }
  /// ALSA's name of the sample format.
  var formatName: String { get }
  /// What it is, for the choice of what keeps it awake.
  var kind: DeviceKind { get }
  /// Why it has failed, in words, by what it gave back.
  func reason(_ code: Int) -> String
  /// After an underrun: ready again with nothing queued.
  func prepare() -> Bool
  /// After a suspend: true, or false where it must be prepared instead, nil while it is still asleep.
  func wake() -> Bool?
}

/// Opens what ALSA calls `name`: by PulseAudio's own library where that leads straight there, else by ALSA. Can block for
/// ever.
func openDevice(_ name: String, wanted: StreamFormat, now: Int64) throws(AudioError) -> any OpenDevice {
  if let route = PulseRoute.of(name), let stream = try PulseStream.open(name, route, wanted: wanted) {
    return stream
  }
  return try PCM(name, wanted: wanted, now: now)
}

/// Whether it can be opened at this moment. Can block for ever.
func isAvailable(_ name: String, _ format: StreamFormat) -> Bool {
  reveille_alsa_silence()
  snd_config_update_free_global()
  do throws(AudioError) {
    _ = try openDevice(name, wanted: format, now: Clocks.monotonicMicroseconds())
    return true
  } catch {
    return false
  }
}
