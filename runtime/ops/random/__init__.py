"""Random numbers as functions of a key: `rt.random.key`, `split`, distributions, and `Generator`.

What is drawn depends on the key, the parameters, the shape and the dtype, and on nothing else: eager code,
graphs and every executor agree. Without a key, functions take the next one of the process: an effect.
"""

from runtime.graph.frames import show_callers_alone
from runtime.ops.random.choosing import choice, permutation, shuffle
from runtime.ops.random.continuous import exponential, gamma, normal, uniform
from runtime.ops.random.discrete import bernoulli, bits, categorical, integers, poisson
from runtime.ops.random.generator import Generator
from runtime.ops.random.keys import fold_in, key, split
from runtime.ops.random.streams import set_seed

__all__ = [
    "Generator",
    "bernoulli",
    "bits",
    "categorical",
    "choice",
    "exponential",
    "fold_in",
    "gamma",
    "integers",
    "key",
    "normal",
    "permutation",
    "poisson",
    "set_seed",
    "shuffle",
    "split",
    "uniform",
]

show_callers_alone(globals())
