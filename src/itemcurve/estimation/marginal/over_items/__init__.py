"""Items integrated out, abilities estimated."""
