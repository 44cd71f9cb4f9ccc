"""One reader per log format."""
