"""Sessions that are going on: in memory what the next step needs, in the store the truth."""
