"""Array mathematics without a word of item response theory."""
