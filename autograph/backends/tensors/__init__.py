"""Our own runtime as a backend of the converter."""

from pathlib import Path

from autograph.backends.tensors.backend import Tensors
from autograph.backends.tensors.items import Items, Source
from runtime.graph.location import hide_folder

__all__ = ["TENSORS", "Items", "Source", "Tensors"]

hide_folder(Path(__file__).resolve().parents[2])

TENSORS = Tensors()
"""The one backend of this kind: what `ag.function` and `ag.convert` speak to beside plain Python."""
