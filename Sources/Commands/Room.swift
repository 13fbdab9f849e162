// The commands: one file each, with options, help and deeds together.
