import CALSA
import CPulse

extension ChannelOrder {
  /// PulseAudio's map of our order, which is WAVE's; channels that have no place there are unnamed.
  static func map(_ channels: Int) -> pa_channel_map {
    var map = pa_channel_map()
    guard let positions = positions(channels) else {
      pa_channel_map_init_extend(&map, UInt32(channels), PA_CHANNEL_MAP_WAVEEX)
      return map
    }
    for (channel, position) in positions.enumerated() {
      reveille_pulse_place(&map, UInt32(channel), place(snd_pcm_chmap_position(rawValue: position)))
    }
    return map
  }

  private static func place(_ position: snd_pcm_chmap_position) -> pa_channel_position_t {
    switch position {
    case SND_CHMAP_FL: PA_CHANNEL_POSITION_FRONT_LEFT
    case SND_CHMAP_FR: PA_CHANNEL_POSITION_FRONT_RIGHT
    case SND_CHMAP_FC: PA_CHANNEL_POSITION_FRONT_CENTER
    case SND_CHMAP_LFE: PA_CHANNEL_POSITION_LFE
    case SND_CHMAP_RC: PA_CHANNEL_POSITION_REAR_CENTER
    case SND_CHMAP_RL: PA_CHANNEL_POSITION_REAR_LEFT
    case SND_CHMAP_RR: PA_CHANNEL_POSITION_REAR_RIGHT
    case SND_CHMAP_SL: PA_CHANNEL_POSITION_SIDE_LEFT
    case SND_CHMAP_SR: PA_CHANNEL_POSITION_SIDE_RIGHT
    default: PA_CHANNEL_POSITION_MONO
    }
  }
}
