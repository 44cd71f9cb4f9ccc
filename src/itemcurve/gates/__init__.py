"""May it be shipped? Two runs from wherever they are, a verdict, and what is said of it."""
