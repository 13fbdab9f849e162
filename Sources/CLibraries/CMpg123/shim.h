// libmpg123. Large-file names are chosen by the preprocessor, so the 64-bit ones are asked for here.
#ifndef REVEILLE_CMPG123_H
#define REVEILLE_CMPG123_H
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include <mpg123.h>
#include <stdio.h>

// Behind these names the header puts macros that append _64 on some machines and nothing on others; an inline function
// has one name everywhere.
static inline int reveille_mpg123_open(
    mpg123_handle *handle, void *source, ssize_t (*read)(void *, void *, size_t), off_t (*seek)(void *, off_t, int)) {
  int result = mpg123_replace_reader_handle(handle, read, seek, NULL);
  return result == MPG123_OK ? mpg123_open_handle(handle, source) : result;
}
static inline long long reveille_mpg123_length(mpg123_handle *handle) { return mpg123_length(handle); }
static inline long long reveille_mpg123_tell(mpg123_handle *handle) { return mpg123_tell(handle); }
static inline long long reveille_mpg123_seek(mpg123_handle *handle, long long sample) {
  return mpg123_seek(handle, sample, SEEK_SET);
}

// mpg123_param takes an enum and names it by a macro of versions: the settings every handle gets, in one call.
// Nothing printed, 32-bit floats, encoder delay and padding cut off, and junk of any length skipped on the way.
static inline int reveille_mpg123_set_up(mpg123_handle *handle) {
  int result = mpg123_param(handle, MPG123_ADD_FLAGS, MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_GAPLESS, 0.0);
  if (result == MPG123_OK) result = mpg123_param(handle, MPG123_RESYNC_LIMIT, -1, 0.0);
  return result;
}

// Enum constants that are compared with plain ints.
static inline int reveille_mpg123_ok(void) { return MPG123_OK; }
static inline int reveille_mpg123_done(void) { return MPG123_DONE; }
static inline int reveille_mpg123_new_format(void) { return MPG123_NEW_FORMAT; }
static inline int reveille_mpg123_float(void) { return MPG123_ENC_FLOAT_32; }
#endif
