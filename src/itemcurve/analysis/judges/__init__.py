"""Which judge can be trusted: severity, consistency, self-preference, drift, halo, agreement."""
