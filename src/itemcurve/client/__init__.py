"""A client of the service: no more than the standard library, so that any harness can have it."""
