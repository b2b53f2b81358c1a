"""What small programs are about: variables of an idea, what may be done with them, and what is seen of them.

Behind a ``$`` is a hole, filled by kind: ``$F`` is a float, ``$I`` an int, ``$J`` an index of three items,
``$B`` one of two, ``$K`` a key, ``$T`` a test; other letters are variables that an idea has.

What a graph is documented to do otherwise is left out: ints and floats do not meet in one variable, and texts
show no lists of numbers of Python's beside NumPy's.
"""

from tests.properties.ideas import arrays, containers, library, world
from tests.properties.ideas.idea import Idea

__all__ = ["IDEAS", "Idea"]

IDEAS = {**containers.IDEAS, **arrays.IDEAS, **world.IDEAS, **library.IDEAS}
