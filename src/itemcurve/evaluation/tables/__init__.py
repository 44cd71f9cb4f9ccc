"""Tables of rows and columns made fit to be evaluated."""
