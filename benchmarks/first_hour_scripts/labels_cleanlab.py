"""Which labels are wrong, with cleanlab's Datalab and one model."""

import pandas
from cleanlab import Datalab
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

table = pandas.read_csv("tumours.csv")
X, y = table.drop(columns="diagnosis"), table["diagnosis"]
model = make_pipeline(StandardScaler(), LogisticRegression())
# First step.
stated = cross_val_predict(model, X, y, cv=5, method="predict_proba")
lab = Datalab({"y": y.to_numpy()}, label_name="y")
lab.find_issues(pred_probs=stated)
lab.report()
