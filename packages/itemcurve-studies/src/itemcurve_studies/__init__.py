"""Papers on item response theory for machine learning, run again with itemcurve."""
