// soxr, the resampler.
#ifndef REVEILLE_CSOXR_H
#define REVEILLE_CSOXR_H
#include <soxr.h>

// The recipes and data types are macros over enums, and an error is a macro over a string: a resampler of interleaved
// floats in high quality (20 bits), without a thread of its own. NULL where it cannot be made.
static inline soxr_t reveille_soxr_make(double input_rate, double output_rate, unsigned channels) {
  soxr_error_t error = 0;
  soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
  soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
  soxr_t made = soxr_create(input_rate, output_rate, channels, &error, &io, &quality, &runtime);
  if (error) {
    soxr_delete(made);
    return 0;
  }
  return made;
}
#endif
