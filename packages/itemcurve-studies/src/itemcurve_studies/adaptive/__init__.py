"""Song and Flach (2021): benchmarks by adaptive testing, data sets as items."""
