"""Pictures of what noise does to models."""
