"""Banks of different calibrations on one scale."""
