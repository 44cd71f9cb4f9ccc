"""Commands that look at a run and hand it on, one per file."""
