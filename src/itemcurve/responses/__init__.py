"""What was observed: who answered what, and how."""
