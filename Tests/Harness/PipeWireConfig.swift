import Glibc
import Platform

/// The configuration of a PipeWire of one's own: three daemons and the bus that they talk over, all in one folder.
///
/// There is nothing of the system's in it but the modules: no ALSA, Bluetooth or camera devices are looked for, no name
/// on a bus of the person's is asked for, and no service can be started over this bus.
struct PipeWireConfig {
  let folder: TemporaryFolder
  /// Where the pulse server listens.
  let socket: String
  /// With the priorities that a person's own server asks for, where they are to be had.
  let isFavoured: Bool

  var busSocket: String { "\(folder.path)/run/bus" }
  var coreSocket: String { "\(folder.path)/run/pipewire-0" }

  /// What the daemons need beside the folders that every program here has.
  var environment: [String: String] {
    [
      "XDG_STATE_HOME": "\(folder.path)/state",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(busSocket)",
      // Where rtkit would be asked for priorities.
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/no-system-bus",
    ]
  }

  var busCommand: [String] { ["dbus-daemon", "--nofork", "--config-file=\(folder.path)/bus.conf"] }
  var coreCommand: [String] { ["pipewire", "-c", "\(folder.path)/pipewire.conf"] }
  /// They need the core's socket.
  var otherCommands: [[String]] { [["wireplumber"], ["pipewire-pulse", "-c", "\(folder.path)/pulse.conf"]] }

  func write() throws {
    let wirePlumber = "config/wireplumber"
    for name in ["state", wirePlumber] + wirePlumberFiles.map({ "\(wirePlumber)/\($0.folder)" }) {
      mkdir("\(folder.path)/\(name)", 0o700)
    }
    try folder.write(Array(bus.utf8), to: folder.file("bus.conf"))
    try folder.write(Array(core.utf8), to: folder.file("pipewire.conf"))
    try folder.write(Array(pulse.utf8), to: folder.file("pulse.conf"))
    for file in wirePlumberFiles {
      try folder.write(
        Array(file.text.utf8), to: folder.file("\(wirePlumber)/\(file.folder)/51-no-devices.\(file.ending)"))
    }
  }

  private var bus: String {
    """
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(busSocket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }

  private var priorities: String {
    isFavoured
      ? "{ name = libpipewire-module-rt args = { nice.level = -11 } flags = [ ifexists nofail ] }" : ""
  }

  private var libraries: String {
    """
    context.spa-libs = {
      audio.convert.* = audioconvert/libspa-audioconvert
      support.* = support/libspa-support
    }
    """
  }

  /// One null sink, which paces like a card, and the driver that runs what is linked to no card.
  private var core: String {
    """
    context.properties = { core.daemon = true core.name = pipewire-0 default.clock.rate = 48000 }
    \(libraries)
    context.modules = [
      \(priorities)
      { name = libpipewire-module-protocol-native }
      { name = libpipewire-module-metadata }
      { name = libpipewire-module-spa-node-factory }
      { name = libpipewire-module-client-node }
      { name = libpipewire-module-client-device }
      { name = libpipewire-module-access }
      { name = libpipewire-module-adapter }
      { name = libpipewire-module-link-factory }
      { name = libpipewire-module-session-manager }
    ]
    context.objects = [
      { factory = spa-node-factory args = {
          factory.name = support.node.driver
          node.name = Dummy-Driver
          node.group = pipewire.dummy
          priority.driver = 20000
      } }
      { factory = adapter args = {
          factory.name = support.null-audio-sink
          node.name = sink
          node.description = sink
          media.class = Audio/Sink
          device.form-factor = speaker
          audio.rate = 48000
          audio.position = [ FL FR ]
          monitor.channel-volumes = true
          object.linger = true
      } }
    ]

    """
  }

  private var pulse: String {
    """
    \(libraries)
    context.modules = [
      \(priorities)
      { name = libpipewire-module-protocol-native }
      { name = libpipewire-module-client-node }
      { name = libpipewire-module-adapter }
      { name = libpipewire-module-metadata }
      { name = libpipewire-module-protocol-pulse args = { } }
    ]
    pulse.properties = { server.address = [ "unix:\(socket)" ] }

    """
  }

  /// Policy and nothing else, for WirePlumber 0.4 (Lua) and 0.5 (profiles).
  private var wirePlumberFiles: [(folder: String, ending: String, text: String)] {
    [
      (
        "main.lua.d", "lua",
        """
        alsa_monitor.enabled = false
        v4l2_monitor.enabled = false
        libcamera_monitor.enabled = false

        """
      ),
      (
        "bluetooth.lua.d", "lua",
        """
        bluez_monitor.enabled = false
        if bluez_midi_monitor then bluez_midi_monitor.enabled = false end

        """
      ),
      (
        "wireplumber.conf.d", "conf",
        """
        wireplumber.profiles = {
          main = { hardware.audio = disabled hardware.bluetooth = disabled hardware.video-capture = disabled }
        }

        """
      ),
    ]
  }
}
