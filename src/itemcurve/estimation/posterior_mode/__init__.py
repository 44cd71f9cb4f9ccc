"""The mode of abilities and items: what joint estimates are and variational ones start from."""
