"""Names of nodes and arguments as TensorFlow makes them: ``Mul``, ``Mul_1``, ``cond/Mul``, ``cond_mul_x``."""

from __future__ import annotations

import re

__all__ = ["Names", "argument_name", "node_name"]


class Names:
    """The names taken in one graph. TensorFlow's rule: names that differ only in case are the same."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """`wanted`, with the next free number where it is taken."""
        name, key = wanted, wanted.lower()
        while name.lower() in self._taken:
            name = f"{wanted}_{self._taken[key]}"
            self._taken[key] += 1
        self._taken[name.lower()] = 1
        return name


def node_name(text: str) -> str:
    """`text` as the name of a node: letters, digits and ``_.-/``, the first a letter, a digit or a dot.

    >>> node_name("x"), node_name("x['a']"), node_name("_hidden")
    ('x', 'x__a__', 'hidden')
    """
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", text).lstrip("_-/") or "arg"


def argument_name(text: str) -> str:
    """`text` as the name of a function's argument or result: small letters, digits and underscores.

    >>> argument_name("cond/Identity_1/x"), argument_name("2x")
    ('cond_identity_1_x', 'arg_2x')
    """
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "arg"
    return name if name[0].isalpha() else f"arg_{name}"
