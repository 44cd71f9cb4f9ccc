"""What reports say: tables, sentences and pictures of a run, for pages to show."""
