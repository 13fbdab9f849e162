// libsndfile: WAV, AIFF, FLAC, Ogg Vorbis, Opus and what else it reads. MP3 is left to libmpg123.
#ifndef REVEILLE_CSNDFILE_H
#define REVEILLE_CSNDFILE_H
#include <sndfile.h>

// SF_COUNT_MAX is a cast in a macro, which Swift does not import: libsndfile's word for "I do not know how long".
static inline sf_count_t reveille_sf_unknown_count(void) { return SF_COUNT_MAX; }
#endif
