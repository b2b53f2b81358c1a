"""What the tests and the examples in docstrings share.

The packages are loaded before pytest collects examples from their modules. Pytest would otherwise run a
module a second time, beside the copy that its package imported, and every op in it would be registered twice.
"""

import gc
from collections.abc import Generator, Iterator

import pytest

import runtime


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives to the end: the garbage collector is not to look it over again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def tensors_print_as_their_namespace_does(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tensors print as TensorFlow's where its names are under test, and as our own everywhere else."""
    as_tensorflow = not {"compat", "guide"}.isdisjoint(request.path.parts)
    runtime.set_print_options(prefix="tf." if as_tensorflow else "")
    yield
    runtime.set_print_options(prefix="")
