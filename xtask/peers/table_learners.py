"""What other learners learn from a released table: table_learners.py FOLDER, with the train.csv and test.csv of `table_bench write`. Prints errors in percent."""

import json
import os
import sys

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler

NUMBERS = ["capital-gain", "capital-loss", "hours-per-week"]


def load(name):
    frame = pd.read_csv(os.path.join(sys.argv[1], name), dtype=str, keep_default_na=False)
    frame[NUMBERS] = frame[NUMBERS].astype(float)
    return frame


train, test = load("train.csv"), load("test.csv")
names = [name for name in train.columns if name not in NUMBERS + ["class"]]


def error(of_names, of_numbers, learner):
    columns = ColumnTransformer([("names", of_names, names), ("numbers", of_numbers, NUMBERS)])
    fitted = make_pipeline(columns, learner).fit(train, train["class"])
    return round(100 - 100 * fitted.score(test, test["class"]), 2)


hot = OneHotEncoder(handle_unknown="ignore")
codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, max_categories=250)
print(json.dumps({
    "logistic regression": error(hot, StandardScaler(), LogisticRegression(max_iter=500)),
    "naive Bayes": error(hot, KBinsDiscretizer(10, subsample=None), BernoulliNB()),
    "random forest": error(hot, "passthrough", RandomForestClassifier(100, min_samples_leaf=3, random_state=1)),
    "boosted trees": error(codes, "passthrough", HistGradientBoostingClassifier(random_state=1, categorical_features=list(range(len(names))))),
}))
