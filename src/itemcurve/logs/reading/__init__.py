"""What readers share: files within limits, values without trust, rows as they come."""
