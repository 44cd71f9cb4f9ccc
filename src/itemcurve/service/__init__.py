"""The service: adaptive tests, banks and runs over HTTP, for whoever has a token."""
