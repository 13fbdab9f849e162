// libmpg123. Large-file names are chosen by the preprocessor, so the 64-bit ones are asked for here.
#ifndef REVEILLE_CMPG123_H
#define REVEILLE_CMPG123_H
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include <mpg123.h>
// mpg123_param is called through typed wrappers, so that no enum cast is needed where it is used.
static inline int reveille_mpg123_add_flags(mpg123_handle *handle, long flags) {
  return mpg123_param(handle, MPG123_ADD_FLAGS, flags, 0.0);
}
#endif
