// libebur128: the loudness of a programme by EBU R128.
#ifndef REVEILLE_CEBUR128_H
#define REVEILLE_CEBUR128_H
#include <stddef.h>
#include <ebur128.h>

// The modes are bits of an enum, which Swift does not join: the integrated loudness, kept as a histogram so that hours need
// no more memory than minutes, and the largest sample.
static inline ebur128_state *reveille_ebur128_make(unsigned channels, unsigned long rate) {
  return ebur128_init(channels, rate, EBUR128_MODE_I | EBUR128_MODE_SAMPLE_PEAK | EBUR128_MODE_HISTOGRAM);
}
// A lone channel is heard from both speakers.
static inline void reveille_ebur128_mono(ebur128_state *state) { ebur128_set_channel(state, 0, EBUR128_DUAL_MONO); }
#endif
