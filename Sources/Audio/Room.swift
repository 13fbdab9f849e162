// Decoders, resampler, voices, mixer and outputs. Knows nothing of alarms.
