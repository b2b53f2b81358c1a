"""Dispatch: which backend a value belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.staging.backend import Backend
from autograph.staging.plain import Plain

__all__ = ["Backends"]

ATOMS: frozenset[type] = frozenset({bool, bytes, complex, float, int, str, type(None)})
"""Classes whose instances hold no other objects."""

PLAIN: frozenset[type] = ATOMS | {dict, frozenset, list, range, set, slice, tuple}
"""Classes whose instances code makes without naming them."""

TYPES_REMEMBERED = 4096
"""A program that makes classes without end must not be kept alive by the cache."""


class _BackendOfType(dict[type, Backend]):
    """type → backend, filled on demand; a dict, since a look-up happens at every converted statement."""

    def __init__(self, members: tuple[Backend, ...], plain: Backend) -> None:
        super().__init__()
        self._members = members
        self._plain = plain

    def __missing__(self, kind: type) -> Backend:
        owner = next((member for member in self._members if issubclass(kind, member.owns)), self._plain)
        if len(self) >= TYPES_REMEMBERED:
            self.clear()
        self[kind] = owner
        return owner


class _Owned(dict[type, bool]):
    """type → whether a backend owns its values."""

    def __init__(self, backends: _BackendOfType, plain: Backend) -> None:
        super().__init__()
        self._backends = backends
        self._plain = plain

    def __missing__(self, kind: type) -> bool:
        if len(self) >= TYPES_REMEMBERED:
            self.clear()
        owned = self[kind] = self._backends[kind] is not self._plain
        return owned


def _none(function: Any) -> None:
    del function


def _same(callee: Any) -> Any:
    return callee


class Backends:
    """The libraries that a converted program may speak to; plain Python is always the last.

    Parameters
    ----------
    members : iterable of Backend
        When two own a type, the first gets it.

    Attributes
    ----------
    leaves_closed_calls : bool
        Whether calls that cannot meet a value of a member run unconverted (`staging/closed.py`): not where a
        member owns plain numbers, and not where somebody watches every statement.
    convert : callable
        What converted code calls in the place of a callable; whoever makes the operators hands it over.
    managing : callable
        generator function → what makes its push form for the body of a `with`, or None; handed over as well.

    Examples
    --------
    >>> Backends().of(3).name
    'python'
    """

    __slots__ = (
        "_by_type",
        "convert",
        "leaves_closed_calls",
        "managing",
        "members",
        "modules",
        "own_names",
        "owned",
        "plain",
    )

    def __init__(self, members: Iterable[Backend] = ()) -> None:
        self.members = tuple(members)
        self.plain: Backend = Plain()
        self.convert: Callable[[Any], Any] = _same
        self.managing: Callable[[Any], Any] = _none
        self._by_type = _BackendOfType(self.members, self.plain)
        self.owned = _Owned(self._by_type, self.plain)
        owned = tuple([kind for member in self.members for kind in member.owns])
        self.leaves_closed_calls = bool(self.members) and not any(issubclass(kind, owned) for kind in PLAIN)
        self.own_names = frozenset[str]().union(*[member.own_names for member in self.members])
        self.modules = frozenset().union(*[member.modules for member in self.members])

    def of(self, *values: Any) -> Backend:
        """The backend of the first value that belongs to one; plain Python when none does.

        Parameters
        ----------
        *values : object

        Returns
        -------
        Backend
        """
        by_type = self._by_type
        plain = self.plain
        for value in values:
            backend = by_type[type(value)]
            if backend is not plain:
                return backend
        return plain

    def inside(self, *values: Any) -> Backend:
        """The backend whose values these objects may hold: plain Python, unless one stages now.

        Parameters
        ----------
        *values : object

        Returns
        -------
        Backend
        """
        if all(type(value) in ATOMS for value in values):
            return self.plain
        return self.staging_now()

    def staging_now(self) -> Backend:
        """The backend whose values may be about, which it stages; plain Python where there is none."""
        for member in self.members:  # quicker than a generator, and asked in each statement
            if member.is_staging():
                return member
        return self.plain

    def staging(self) -> Callable[[], bool]:
        """The question whether a value that is staged may exist now; of one backend, its own method."""
        questions = [member.is_staging for member in self.members]
        return questions[0] if len(questions) == 1 else lambda: any(asks() for asks in questions)

    def __repr__(self) -> str:
        return f"Backends({', '.join(member.name for member in (*self.members, self.plain))})"
