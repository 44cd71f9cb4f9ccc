"""Files of responses, by the end of their name."""
