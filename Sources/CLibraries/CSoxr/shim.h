// soxr, the resampler.
#ifndef REVEILLE_CSOXR_H
#define REVEILLE_CSOXR_H
#include <soxr.h>
#endif
