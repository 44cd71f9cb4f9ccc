"""How the table of `itemcurve.load_dataset_table` was measured: data sets as items."""
