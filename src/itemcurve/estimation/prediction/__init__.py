"""What respondents would answer to items, with intervals."""
