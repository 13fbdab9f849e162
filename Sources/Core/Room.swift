// What should happen: three state machines as pure values.
