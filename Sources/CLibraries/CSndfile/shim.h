// libsndfile: WAV, AIFF, FLAC, Ogg Vorbis, Opus and what else it reads. MP3 is left to libmpg123.
#ifndef REVEILLE_CSNDFILE_H
#define REVEILLE_CSNDFILE_H
#include <sndfile.h>
#endif
