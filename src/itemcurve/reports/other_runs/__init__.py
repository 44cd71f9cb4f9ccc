"""Runs of ratings and votes: read by what they hold, and shown as plain pages."""
