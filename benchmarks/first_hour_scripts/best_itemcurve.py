"""Who is best, with itemcurve."""

import pandas
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import itemcurve as ic

table = pandas.read_csv("tumours.csv")
X, y = table.drop(columns="diagnosis"), table["diagnosis"]
pool = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "bayes": GaussianNB(),
}
# First step.
study = ic.evaluate_classifiers(pool, X, y, cv=5)
print(study.leaderboard())
