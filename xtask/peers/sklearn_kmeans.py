"""KMeans of scikit-learn on a file of doubles, four a row: seconds, peak memory and inertia as JSON."""

import json
import resource
import sys
import time

import numpy
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler

points = numpy.fromfile(sys.argv[1], dtype="<f8").reshape(-1, 4)
start = time.perf_counter()
model = KMeans(n_clusters=10, n_init=1, random_state=1).fit(StandardScaler().fit_transform(points))
print(
    json.dumps(
        {
            "rows": len(points),
            "seconds": time.perf_counter() - start,
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "clusters": len(model.cluster_centers_),
            "inertia": float(model.inertia_),
        }
    )
)
