"""Pictures of several abilities: which items load on which."""
