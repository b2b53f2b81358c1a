"""SciPy and scikit-learn, told to serve arrays of any library before they are imported."""

import importlib
import os

import numpy as np
import pytest


@pytest.fixture(scope="session")
def scipy():
    """SciPy, and NumPy, by the names in the calls."""
    os.environ["SCIPY_ARRAY_API"] = "1"
    rooms = ("cluster.vq", "differentiate", "fft", "integrate", "optimize.elementwise", "signal", "special")
    for room in (*rooms, "spatial.transform", "stats"):
        importlib.import_module(f"scipy.{room}")
    return {"scipy": importlib.import_module("scipy"), "np": np}


@pytest.fixture(scope="session")
def sklearn(scipy):
    """scikit-learn, and NumPy, by the names in the calls."""
    rooms = ("decomposition", "linear_model", "metrics.pairwise", "mixture", "preprocessing")
    for room in rooms:
        importlib.import_module(f"sklearn.{room}")
    library = importlib.import_module("sklearn")
    library.set_config(array_api_dispatch=True)
    yield {"sklearn": library, "np": np}
    library.set_config(array_api_dispatch=False)
