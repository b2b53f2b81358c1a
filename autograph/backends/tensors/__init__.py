"""The backend that stages converted Python as graphs of `runtime`."""

from autograph.backends.tensors.backend import Tensors
from autograph.backends.tensors.iteration.items import Items, Source
from autograph.frames import ROOMS
from runtime.graph.location import hide_folder

__all__ = ["TENSORS", "Items", "Source", "Tensors"]

for _room in ROOMS:
    hide_folder(_room.rstrip("/\\"))

TENSORS = Tensors()
"""The one backend of this kind: what `ag.function` and `ag.convert` speak to beside plain Python."""
