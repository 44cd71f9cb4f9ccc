"""What makes items hard: difficulty on features of the items."""
