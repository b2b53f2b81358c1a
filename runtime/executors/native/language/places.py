"""Which numbers need no place on the stack: those that are set once, and dominate what reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from runtime.executors.native.language.loops import For, Function, If, Rows, Set, Statement, Try, While
from runtime.executors.native.language.walking import changed_by, exposed_in, numbers_in

__all__ = ["without_place"]


def without_place(function: Function) -> frozenset[str]:
    """The numbers of a function that have one value, which is there wherever they are read.

    LLVM would find that out itself, but reads three lines in place of one for each of them until then.
    """
    sets = Counter(changed_by(function.body))
    found = _Reading()
    found.block(function.body, set())
    lasting = {each.name for each in [*function.parameters, *function.results]}
    return frozenset(
        [
            name
            for name in found.set
            if sets[name] == 1 and name not in found.elsewhere and name not in lasting
        ]
    )


class _Reading:
    """Walks statements, and looks where numbers are read.

    Attributes
    ----------
    set, elsewhere : set of str
        Those that statements of their own set, and those that are read where they may have no value.
    """

    def __init__(self) -> None:
        self.set: set[str] = set()
        self.elsewhere: set[str] = set()

    def block(self, statements: Sequence[Statement], there: set[str]) -> None:
        """Statements, with what was surely set before: that is added to."""
        for each in statements:
            if not isinstance(each, While):
                self._read(numbers_in(each), there)
            match each:
                case Set(variable, _):
                    self.set.add(variable.name)
                    there.add(variable.name)
                case If(_, then, orelse):
                    self.block(then, set(there))
                    self.block(orelse, set(there))
                case For(_, _, body):
                    self.block(body, set(there))
                case While(before, _, body):
                    inner = set(there)
                    self.block(before, inner)
                    self._read(numbers_in(each), inner)
                    self.block(body, inner)
                case Rows(_, _, body, after):
                    self._read(exposed_in(body, set()), there)
                    self.elsewhere.update(changed_by(body))  # which are vectors, with places of their own
                    self.block(after, set(there))
                case Try(body, _, handler):
                    self.block(body, set(there))
                    self.block(handler, set(there))

    def _read(self, names: Iterable[str], there: set[str]) -> None:
        self.elsewhere.update(name for name in names if name not in there)
