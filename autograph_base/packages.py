"""Which packages are ours: what they define, and where their frames are, is told from what a program has."""

from __future__ import annotations

import os

__all__ = ["FOLDERS", "INSTALLED", "OURS", "STANDARD", "is_ours"]

OURS = frozenset({"autograph", "autograph_base", "runtime"})
"""The names of the packages."""


def is_ours(module: object) -> bool:
    """Whether a module is in one of our packages.

    Parameters
    ----------
    module : object
        The ``__module__`` of a class or a function. A class of C's may have a descriptor there.
    """
    return str(module).partition(".")[0] in OURS


def _folders() -> dict[str, str]:
    own = os.path.dirname(_folders.__code__.co_filename)  # noqa: PTH120  # pathlib is slow to import
    around = os.path.dirname(own)  # noqa: PTH120  # likewise
    return {name: os.path.join(around, name) + os.sep for name in sorted(OURS)}  # noqa: PTH118  # likewise


FOLDERS = _folders()
"""Where each package is, as frames have it: in a frozen application, `__file__` is elsewhere."""

STANDARD = (f"{os.path.dirname(os.__file__)}{os.sep}", "<frozen ")  # noqa: PTH120  # likewise
"""How the names of files begin that are of the standard library; so do those that are installed in it.

`sysconfig` would say so, too, but reads how Python was built for that.
"""
INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
"""What is in the name of a file that is installed, wherever that is."""
