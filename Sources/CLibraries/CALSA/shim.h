// alsa-lib: PCM output.
#ifndef REVEILLE_CALSA_H
#define REVEILLE_CALSA_H
#include <alsa/asoundlib.h>

// alsa-lib prints every failed open to descriptor 2. Its error handler is variadic, so a silent one is set from here.
static inline void reveille_alsa_ignore(const char *file, int line, const char *function, int err, const char *fmt, ...) {
  (void)file; (void)line; (void)function; (void)err; (void)fmt;
}
static inline void reveille_alsa_silence(void) { snd_lib_error_set_handler(reveille_alsa_ignore); }
#endif
