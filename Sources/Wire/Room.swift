// Requests, replies, the status object, framing, connect-or-start.
