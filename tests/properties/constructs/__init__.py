"""All that a random program may have.

What a graph is documented to do otherwise is left out: ints and floats do not meet in one variable, and texts
show no lists of numbers of Python's beside NumPy's.
"""

from tests.properties.constructs import (
    arrays,
    containers,
    control,
    everyday,
    library,
    numbers,
    python,
    shared,
    world,
)
from tests.properties.constructs.construct import BLOCKS, Construct, Place

__all__ = ["BLOCKS", "CONSTRUCTS", "CONTROL", "IDEAS", "IN_PYTHON", "JUMPS", "WAYS", "Construct", "Place"]

CONTROL = control.CONTROL | python.CONTROL
"""Statements that others stand in, and that of numbers."""

JUMPS = control.JUMPS

WAYS = shared.WAYS
"""Ideas of where the variables of the others may be."""

IDEAS = {
    **numbers.IDEAS,
    **containers.IDEAS,
    **arrays.IDEAS,
    **world.IDEAS,
    **library.IDEAS,
    **everyday.IDEAS,
    **python.IDEAS,
    **WAYS,
}
"""What programs are about."""

CONSTRUCTS = IDEAS | CONTROL | JUMPS

IN_PYTHON = frozenset([*python.IDEAS, *python.CONTROL])
"""Those of programs that become no graph."""
