"""Search for hyper-parameters as a test: candidates are respondents, held-out rows are items."""
