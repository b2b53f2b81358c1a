"""``MODULE:FUNCTION``: the function that a command is about."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from autograph.cli.wrong import WrongCommand

__all__ = ["target"]


def target(text: str) -> Callable[..., Any]:
    """The function that a text names.

    Parameters
    ----------
    text : str
        ``MODULE:FUNCTION``: a module as it is imported, or a file; a function of it, or ``Class.method``.

    Returns
    -------
    callable

    Raises
    ------
    WrongCommand
        When there is none. What the module raises while it is imported is its own.
    """
    place, _, path = text.rpartition(":")
    if not place or not path:
        raise WrongCommand(
            f"{text!r} does not name a function.\n"
            "Write MODULE:FUNCTION, as in `package.module:step`, or FILE.py:FUNCTION."
        )
    found: Any = _module(place)
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            near = get_close_matches(name, dir(found), 1)
            told = f"Did you mean {near[0]!r}? " if near else ""
            raise WrongCommand(f"{place} has no {path!r}.\n{told}{_functions(found)}") from None
    if not callable(found):
        raise WrongCommand(f"{text!r} is {found!r}, which cannot be called.\n{_functions(_module(place))}")
    if isinstance(found, type):
        raise WrongCommand(
            f"{text!r} is a class.\nName a function, a method as `{path}.step`, or one of an object that the "
            "module has."
        )
    callee: Callable[..., Any] = found
    return callee


def _functions(found: Any) -> str:
    own = getattr(found, "__name__", None)
    names = [
        name
        for name, value in vars(found).items()
        if callable(value) and not isinstance(value, type) and getattr(value, "__module__", own) == own
    ]
    return f"It has {', '.join(names)}." if names else "It has no functions."


def _module(place: str) -> ModuleType:
    path = Path(place)
    if path.suffix == ".py":
        return _from_file(path)
    if os.getcwd() not in sys.path:  # noqa: PTH109  # as `python -m` spells it
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name not in _packages(place):
            raise
        raise WrongCommand(
            f"there is no module {error.name!r} here.\n"
            f"Modules are looked for in {os.getcwd()} and where Python is installed; "  # noqa: PTH109
            "a file is given with its `.py`."
        ) from None
    except ValueError:
        raise WrongCommand(
            f"{place!r} is not the name of a module.\nWrite package.module, or a file: FILE.py."
        ) from None


def _packages(place: str) -> list[str]:
    """A dotted name, and those of the packages that it is in."""
    names = place.split(".")
    return [".".join(names[:count]) for count in range(1, len(names) + 1)]


def _from_file(path: Path) -> ModuleType:
    """The module that a file is, beside which its imports are found, as in ``python FILE.py``."""
    if not path.is_file():
        raise WrongCommand(f"there is no file {str(path)!r}.\nGive its path from {os.getcwd()}.")  # noqa: PTH109
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    known = sys.modules.get(path.stem)
    if known is not None and getattr(known, "__file__", None) == str(path.resolve()):
        return known
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    assert spec is not None, "it is a Python file"
    assert spec.loader is not None, "likewise"
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
