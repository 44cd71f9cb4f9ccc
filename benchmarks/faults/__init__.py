"""The library broken on purpose: damaged tables, crashes while writing, odd numbers."""
