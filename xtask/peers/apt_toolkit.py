"""ai-privacy-toolkit without what it asks for and does not need here."""

import importlib.util
import os
import sys
import types


def load():
    """Returns its Anonymize and ArrayDataset."""
    import sklearn.preprocessing

    # It names tensors in its types, and its package imports everything it has; neither is needed here.
    torch = types.ModuleType("torch")
    torch.Tensor = type("Tensor", (), {})
    sys.modules.setdefault("torch", torch)
    if "apt.anonymization" not in sys.modules:
        folder = importlib.util.find_spec("apt").submodule_search_locations[0]
        for name, path in [("apt", folder), ("apt.utils", os.path.join(folder, "utils"))]:
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = [path]
        # Newer versions of scikit-learn call an argument otherwise.
        encoder = sklearn.preprocessing.OneHotEncoder
        sklearn.preprocessing.OneHotEncoder = lambda sparse=True, **more: encoder(sparse_output=sparse, **more)
    from apt.anonymization import Anonymize
    from apt.utils.datasets import ArrayDataset

    return Anonymize, ArrayDataset
