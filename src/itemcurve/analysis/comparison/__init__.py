"""Two respondents, or two runs, on the same items: is one better, and how sure is that."""
