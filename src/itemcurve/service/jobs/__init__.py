"""Work that takes long: each job in a process of its own, within limits."""
