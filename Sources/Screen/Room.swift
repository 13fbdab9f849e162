// The terminal: update(event) gives effects, view(model, size) gives a frame of cells.
