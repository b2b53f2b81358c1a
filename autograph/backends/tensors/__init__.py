"""The backend that stages converted Python as graphs of `runtime`."""

from autograph.backends.tensors.backend import Tensors
from autograph.backends.tensors.iteration.items import Items, Source

__all__ = ["TENSORS", "Items", "Source", "Tensors"]

TENSORS = Tensors()
"""The one backend of this kind: what `ag.function` and `ag.convert` speak to beside plain Python."""
