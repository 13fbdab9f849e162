// The loop that turns requests, timers and device events into core events, and core effects into deeds.
