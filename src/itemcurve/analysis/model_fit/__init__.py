"""Whether a model describes the responses, and which one does best."""
