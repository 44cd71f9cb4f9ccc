"""Panels and groups of pictures of the Γ study."""
