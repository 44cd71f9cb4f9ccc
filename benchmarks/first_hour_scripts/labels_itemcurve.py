"""Which labels are wrong, with itemcurve and one model."""

import pandas
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import itemcurve as ic

table = pandas.read_csv("tumours.csv")
X, y = table.drop(columns="diagnosis"), table["diagnosis"]
model = make_pipeline(StandardScaler(), LogisticRegression())
# First step.
audit = ic.evaluate_classifiers(model, X, y, cv=5).audit()
print(audit)
