"""Centroids of scikit-learn for incrowd to read. Follows the snippet of docs/foreign-models.md, which defines write_clusters.

usage: FOLDER
"""

import sys

import pandas
from sklearn.cluster import KMeans
from sklearn.preprocessing import OneHotEncoder, StandardScaler

folder = sys.argv[1]
random = numpy.random.default_rng(1)
town = random.integers(0, 3, 600)
table = pandas.DataFrame(
    {
        "age": numpy.round(30 + 15 * town + random.normal(0, 5, 600)).astype(int),
        "income": numpy.round(2000 + 1500 * town + random.normal(0, 400, 600), 1),
        "home": numpy.where(random.random(600) < 0.2 + 0.3 * town, "owner", "tenant"),
    }
)
table.to_csv(f"{folder}/people.csv", index=False)


def write(name, model, columns, matrix, scaler=None):
    write_clusters(model, columns, f"{folder}/{name}.json", scaler, model.labels_)
    pandas.DataFrame({"cluster": model.predict(matrix) + 1}).to_csv(f"{folder}/{name}.csv", index=False)


scaler = StandardScaler()
scaled = scaler.fit_transform(table[["age", "income"]].to_numpy())
write("scaled", KMeans(5, n_init=1, random_state=1).fit(scaled), ["age", "income"], scaled, scaler)

hot = OneHotEncoder(sparse_output=False)
plain = numpy.hstack([table[["age"]].to_numpy(), hot.fit_transform(table[["home"]])])
columns = ["age"] + [{"name": "home", "equals": value} for value in hot.categories_[0]]
write("plain", KMeans(4, n_init=1, random_state=1).fit(plain), columns, plain)
