"""Values that note what is done to them."""

import pytest


class Loud:
    """Notes what is done to it."""

    def __init__(self, log, name, truth=True):
        self.log, self.name, self.truth = log, name, truth

    def note(self, what):
        self.log.append(f"{what} {self.name}")

    def __bool__(self):
        return self.truth

    def __lt__(self, other):
        self.note("lt")
        return Loud(self.log, f"({self.name}<)", self.truth)

    def __eq__(self, other):
        self.note("eq")
        return Loud(self.log, f"({self.name}=)", self.truth)

    __hash__ = None

    def __getitem__(self, index):
        self.note("get")
        return self

    def __setitem__(self, index, value):
        self.note("set")

    def __iadd__(self, other):
        self.note("iadd")
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.note(f"attribute {name} of")
        raise AttributeError(name)


@pytest.fixture
def make():
    """`make(log, name, truth)`: a value that notes that it was made, and what happens to it."""

    def make(log, name, truth=True):
        log.append(f"make {name}")
        return Loud(log, name, truth)

    return make


@pytest.fixture
def same_log(convert):
    """`same_log(f, …)`: f(log, …) writes the same log, and raises the same, converted or not."""

    def same_log(function, *arguments):
        logs = []
        for each in (function, convert(function)):
            log = []
            try:
                log.append(repr(type(each(log, *arguments))))
            except Exception as error:  # noqa: BLE001  (both must raise it)
                log.append(type(error))
            logs.append(log)
        assert logs[0] == logs[1]

    return same_log
