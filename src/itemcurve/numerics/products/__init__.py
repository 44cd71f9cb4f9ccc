"""Products of large matrices that are mostly empty, or whose entries are single bits."""
