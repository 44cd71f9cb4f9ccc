"""How observed responses are stored in memory."""
