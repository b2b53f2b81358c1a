"""How NumPy tells errors of floats, also of what is traced and runs later."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tracing import tracing

__all__ = ["KINDS", "Telling"]

KINDS = ("divide", "over", "under", "invalid")
"""The kinds of errors of floats, as `np.errstate` calls them."""


class Telling(np.errstate):
    """A state that also holds for what is traced inside, whenever that runs."""

    def __init__(self, **modes: Any) -> None:
        super().__init__(**modes)
        everything = modes.get("all")
        wanted = {kind: modes.get(kind) or everything for kind in KINDS}
        self._told = {kind: mode for kind, mode in wanted.items() if mode}

    def __enter__(self) -> None:
        super().__enter__()
        self._outer = tracing.told
        tracing.told = tuple({**dict(self._outer), **self._told}.items())

    def __exit__(self, *raised: Any) -> None:
        tracing.told = self._outer
        super().__exit__(*raised)
