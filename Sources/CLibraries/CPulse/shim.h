// libpulse: a stream at PulseAudio, and asking it or PipeWire's stand-in for it what becomes of our sound.
#ifndef REVEILLE_CPULSE_H
#define REVEILLE_CPULSE_H
#include <pulse/pulseaudio.h>

// The state of an operation or a context is compared with enums that Swift imports as structs of their own; the questions
// that are asked are put here once.
static inline int reveille_pulse_is_ready(pa_context *context) {
  return pa_context_get_state(context) == PA_CONTEXT_READY;
}
static inline int reveille_pulse_is_lost(pa_context *context) {
  return !PA_CONTEXT_IS_GOOD(pa_context_get_state(context));
}
static inline int reveille_pulse_is_running(pa_operation *operation) {
  return pa_operation_get_state(operation) == PA_OPERATION_RUNNING;
}
static inline int reveille_pulse_stream_is_ready(const pa_stream *stream) {
  return pa_stream_get_state(stream) == PA_STREAM_READY;
}
static inline int reveille_pulse_stream_is_lost(const pa_stream *stream) {
  return !PA_STREAM_IS_GOOD(pa_stream_get_state(stream));
}
// `map` is a fixed array, like `values` below.
static inline void reveille_pulse_place(pa_channel_map *map, unsigned channel, pa_channel_position_t position) {
  if (channel >= PA_CHANNELS_MAX) return;
  map->map[channel] = position;
  if (map->channels <= channel) map->channels = (unsigned char)(channel + 1);
}
// PA_SINK_FLAT_VOLUME is an enum member and a macro of the same name.
static inline int reveille_pulse_is_flat(const pa_sink_info *sink) { return (sink->flags & PA_SINK_FLAT_VOLUME) != 0; }
// `values` is a fixed array, which Swift imports as a tuple of 32.
static inline unsigned reveille_pulse_volume(const pa_cvolume *volume, unsigned channel) {
  return channel < volume->channels ? volume->values[channel] : 0;
}
static inline void reveille_pulse_set_volume(pa_cvolume *volume, unsigned channel, unsigned value) {
  if (channel >= PA_CHANNELS_MAX) return;
  volume->values[channel] = value > PA_VOLUME_MAX ? PA_VOLUME_MAX : value;
  if (volume->channels <= channel) volume->channels = (unsigned char)(channel + 1);
}
#endif
