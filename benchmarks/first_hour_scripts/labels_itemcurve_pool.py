"""Which labels are wrong, with itemcurve and a table alone."""

import itemcurve as ic

# First step.
audit = ic.evaluate_table("tumours.csv", "diagnosis", cv=5).audit()
print(audit)
