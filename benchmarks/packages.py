"""Whole packages, imported so that every function and method of theirs is converted in place."""

from __future__ import annotations

import functools
import importlib
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import FunctionType, ModuleType
from typing import Any

from autograph.errors import ConversionWarning
from autograph.policy import verdict
from autograph.staging.plain import Plain
from autograph.transpiler import Transpiler, is_converted

__all__ = ["Always", "Never", "converted_packages", "imported"]


class Always(Plain):
    """A backend that says it may stage at any time, and owns nothing: all of the converted code runs."""

    name = "always"
    owns = ()


class Never(Always):
    """A backend that never stages: functions run the statements that their authors wrote."""

    name = "never"

    def is_staging(self) -> bool:
        """Never."""
        return False


class _Importer:
    """Finds the modules of some packages, and converts what they define as soon as they have run."""

    def __init__(self, packages: Sequence[str], backend: Plain) -> None:
        self.counts: Counter[str] = Counter()
        self._packages = frozenset(packages)
        self._done: dict[FunctionType, Any] = {}
        """What two names mean stays one function."""
        self._convert = Transpiler([backend]).convert

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        """The module as Python would find it, with a loader that converts."""
        if name.partition(".")[0] not in self._packages or "test" in name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                self._module(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def _module(self, module: ModuleType) -> None:
        for name, value in list(vars(module).items()):
            if getattr(value, "__module__", None) != module.__name__:
                continue
            if isinstance(value, type):
                self._class(value)
            else:
                setattr(module, name, self._converted(value))

    def _class(self, kind: type) -> None:
        for name, value in list(vars(kind).items()):
            converted = self._member(value)
            if converted is not value and name != "__name__":  # which would rename the class itself
                setattr(kind, name, converted)

    def _member(self, value: Any) -> Any:
        """A member of a class, converted."""
        match value:
            case FunctionType():
                return self._converted(value)
            case staticmethod() | classmethod():
                return type(value)(self._member(value.__func__))
            case property() if type(value) is property:
                parts = (value.fget, value.fset, value.fdel)
                converted = tuple([part and self._member(part) for part in parts])
                return value if converted == parts else property(*converted, doc=value.__doc__)
            case functools.cached_property():
                value.func = self._member(value.func)
            case type() if not is_converted(value):
                self._class(value)
        return value

    def _converted(self, value: Any) -> Any:
        if not isinstance(value, FunctionType):
            return value
        if value not in self._done:
            self._done[value] = self._new(value)
        return self._done[value]

    def _new(self, value: FunctionType) -> Any:
        decision = verdict(value)
        if not decision.convert:
            self.counts[decision.reason] += 1
            return value
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConversionWarning)
            try:
                converted = self._convert(value)
            except ConversionWarning as warning:
                self.counts[str(warning).partition("\n")[0]] += 1
                return value
        self.counts["converted"] += 1
        return converted


@contextmanager
def converted_packages(packages: Sequence[str], backend: Plain) -> Iterator[Counter[str]]:
    """Converts the functions of packages that are imported inside.

    Parameters
    ----------
    packages : sequence of str
        Top-level names; not imported yet.
    backend : Plain
        What the converted code asks.

    Yields
    ------
    Counter
        How many functions were converted, and how many were not, by reason.
    """
    importer = _Importer(packages, backend)
    sys.meta_path.insert(0, importer)
    try:
        yield importer.counts
    finally:
        sys.meta_path.remove(importer)


def imported(package: str, backend: Plain | None) -> ModuleType:
    """A package of its own, not the one in `sys.modules`: as it is, or converted for a backend."""
    mine = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == package}
    for name in mine:
        del sys.modules[name]
    try:
        if backend is None:
            return importlib.import_module(package)
        with converted_packages([package], backend):
            return importlib.import_module(package)
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]
        sys.modules.update(mine)
