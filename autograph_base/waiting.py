"""Modules that are loaded when something of them is first used: a program needs few of those that there are.

A room says in its ``__init__.py`` which of its modules wait. Who needs one imports the module and no names of
it, as a name has to be there at once: ``from room import module``, and ``module.name`` inside of functions.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from types import ModuleType
from typing import Any

__all__ = ["is_waiting", "loaded", "when_used", "where_loaded"]

_OF_ALL = frozenset({"__class__", "__file__", "__loader__", "__name__", "__package__", "__spec__"})
"""What is asked of all modules by those who look for one of them, and for nothing in it."""


class _Waiting(ModuleType):
    """A module that becomes what its file says when it is asked for anything of that."""

    def __getattribute__(self, name: str) -> Any:
        if name not in _OF_ALL:
            _load(self)
        found = ModuleType.__getattribute__(self, name)
        if name == "__spec__" and found is None:  # it is looked for where anybody asks: that takes its time
            found = _spec_of(self.__name__)
            ModuleType.__setattr__(self, name, found)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _OF_ALL:
            _load(self)
        ModuleType.__setattr__(self, name, value)


class _Turn:
    """Who loads a module: one thread, which may ask it for what is there so far."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.is_loading = False


_TURNS: dict[str, _Turn] = {}
"""Those of the modules that wait, and of those that did."""


def when_used(room: str, *names: str) -> None:
    """Has modules of a room wait until they are used.

    Parameters
    ----------
    room : str
        The name of the package: its ``__name__``.
    names : str
        The modules in it. What has to be known before it is used, as a rule of a registry, does not wait.
    """
    for name in names:
        whole = f"{room}.{name}"
        module = _Waiting(whole)
        ModuleType.__setattr__(module, "__package__", room)
        _TURNS[whole] = _Turn()
        sys.modules[whole] = module
        setattr(sys.modules[room], name, module)


def loaded(name: str) -> ModuleType:
    """A module that may have waited until now."""
    module = importlib.import_module(name)
    vars(module)
    return module


def is_waiting(name: str) -> bool:
    """Whether a module waits to be used."""
    return type(sys.modules.get(name)) is _Waiting


def where_loaded(name: str, kind: str) -> Any:
    """A class of a module of others that takes its time to load; it has no instances where nobody has.

    Parameters
    ----------
    name : str
        The module.
    kind : str
        The class.

    Returns
    -------
    type or ()
        For `isinstance` and `issubclass`.
    """
    return getattr(sys.modules.get(name), kind, ())


def _load(module: ModuleType) -> None:
    name = module.__name__
    turn = _TURNS[name]
    with turn.lock:  # modules that import each other do so in one order, and so do threads that load them
        if turn.is_loading or type(module) is not _Waiting:
            return
        turn.is_loading = True
        try:
            spec: Any = module.__spec__
            held = ModuleType.__getattribute__(module, "__dict__")
            held.update(vars(importlib.util.module_from_spec(spec)))
            spec.loader.exec_module(module)
        finally:
            turn.is_loading = False
        module.__class__ = ModuleType  # type: ignore[assignment]  # from here on it is as any other


def _spec_of(name: str) -> Any:
    """Where a module is, as Python looks for it."""
    path = sys.modules[name.rpartition(".")[0]].__path__
    found = (finder.find_spec(name, path) for finder in sys.meta_path)
    spec = next(filter(None, found), None)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return spec
