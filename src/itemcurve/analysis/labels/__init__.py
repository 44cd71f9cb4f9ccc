"""Which labels are probably wrong."""
