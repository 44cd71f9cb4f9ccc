"""All logs of a folder as one long table, and what can be asked of it."""
