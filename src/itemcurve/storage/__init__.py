"""Run folders: atomic, versioned, safe to read from strangers."""
