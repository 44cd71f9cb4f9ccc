"""What the pages of the dashboard show, as plain documents: live over a server, or frozen."""
