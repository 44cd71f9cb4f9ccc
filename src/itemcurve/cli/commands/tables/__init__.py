"""What noise does to models on a table, and what their confusion matrices say."""
