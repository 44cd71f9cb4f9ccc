"""What fits tell: comparisons of fits, of respondents, of items."""
