"""The same two questions asked of three tools, as short as their guides have it."""
