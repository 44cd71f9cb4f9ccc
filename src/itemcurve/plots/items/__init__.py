"""Pictures of items."""
