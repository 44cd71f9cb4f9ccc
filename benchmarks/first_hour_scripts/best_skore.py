"""Who is best, with skore."""

import pandas
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skore import evaluate

table = pandas.read_csv("tumours.csv")
X, y = table.drop(columns="diagnosis"), table["diagnosis"]
pool = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "bayes": GaussianNB(),
}
# First step.
report = evaluate(pool, X, y, splitter=5)
print(report.metrics.summarize().frame().to_string())
