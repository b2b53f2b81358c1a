"""`rt.random.Generator`: draws one after the other, by the names of NumPy's own generator."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import float64, int64
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import as_tensor
from runtime.ops.random import choosing, continuous, discrete, keys
from runtime.ops.random.streams import key_of_process, next_key, started

__all__ = ["Generator"]


class Generator:
    """Random numbers, new ones at each call.

    Parameters
    ----------
    seed : int, or a key (Tensor of uint64, shape (2,)), optional
        By default it starts from the next key of the process.

    Notes
    -----
    Draw `n` has the key `fold_in(key(seed), n)`. Draws are effects of a graph: they keep their order, and a
    run goes on where the one before has stopped. A generator that a graph makes starts anew in each run.
    Semantics: NumPy `numpy.random.Generator`, for tensors, which never change: `shuffle` gives a new one.

    Examples
    --------
    >>> import runtime as rt
    >>> rng = rt.random.Generator(7)
    >>> rng.integers(10, size=3).shape
    (3,)
    """

    def __init__(self, seed: TensorLike | None = None) -> None:
        self._stream = started(_start(seed))

    def __repr__(self) -> str:
        return "Generator(Philox)"

    def key(self) -> Tensor:
        """The next key, for a function that takes one."""
        return next_key(self._stream)

    def random(self, size: Any = (), dtype: Any = float64) -> Tensor:
        """Floats in [0, 1)."""
        return continuous.uniform(size, dtype=dtype, key=self.key())

    def uniform(self, low: TensorLike = 0.0, high: TensorLike = 1.0, size: Any = None) -> Tensor:
        """Floats between two limits."""
        return continuous.uniform(size, low, high, dtype=float64, key=self.key())

    def standard_normal(self, size: Any = (), dtype: Any = float64) -> Tensor:
        """Floats of the normal distribution of mean 0 and standard deviation 1."""
        return continuous.normal(size, dtype=dtype, key=self.key())

    def normal(self, loc: TensorLike = 0.0, scale: TensorLike = 1.0, size: Any = None) -> Tensor:
        """Floats of a normal distribution."""
        return continuous.normal(size, loc, scale, dtype=float64, key=self.key())

    def standard_exponential(self, size: Any = (), dtype: Any = float64) -> Tensor:
        """Floats of the exponential distribution of mean 1."""
        return continuous.exponential(size, dtype=dtype, key=self.key())

    def exponential(self, scale: TensorLike = 1.0, size: Any = None) -> Tensor:
        """Floats of an exponential distribution."""
        return continuous.exponential(size, scale, dtype=float64, key=self.key())

    def standard_gamma(self, shape: TensorLike, size: Any = None, dtype: Any = float64) -> Tensor:
        """Floats of a gamma distribution of scale 1."""
        return continuous.gamma(shape, size, dtype=dtype, key=self.key())

    def gamma(self, shape: TensorLike, scale: TensorLike = 1.0, size: Any = None) -> Tensor:
        """Floats of a gamma distribution."""
        return continuous.gamma(shape, size, scale, dtype=float64, key=self.key())

    def integers(
        self,
        low: TensorLike,
        high: TensorLike | None = None,
        size: Any = None,
        dtype: Any = int64,
        endpoint: bool = False,
    ) -> Tensor:
        """Integers between two limits."""
        return discrete.integers(low, high, size, dtype=dtype, endpoint=endpoint, key=self.key())

    def poisson(self, lam: TensorLike = 1.0, size: Any = None) -> Tensor:
        """Integers of a Poisson distribution."""
        return discrete.poisson(lam, size, dtype=int64, key=self.key())

    def permutation(self, x: TensorLike, axis: int = 0) -> Tensor:
        """Numbers below `x`, or slices of `x`, in random order."""
        return choosing.permutation(x, axis=axis, key=self.key())

    def shuffle(self, x: TensorLike, axis: int = 0) -> Tensor:
        """Slices of `x` in random order, as a new tensor."""
        return choosing.shuffle(x, axis=axis, key=self.key())

    def choice(
        self,
        a: TensorLike,
        size: Any = (),
        replace: bool = True,
        p: TensorLike | None = None,
        axis: int = 0,
    ) -> Tensor:
        """Random ones of the numbers below `a`, or of its slices."""
        return choosing.choice(a, size, replace=replace, p=p, axis=axis, key=self.key())


def _start(seed: TensorLike | None) -> Tensor:
    if seed is None:
        return key_of_process()
    if isinstance(seed, int):
        return keys.key(seed)
    tensor = as_tensor(seed)
    return keys.key(tensor) if tensor.static_shape == () else keys.as_key(tensor)
