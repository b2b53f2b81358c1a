"""What a dict gives that is asked for all keys, as programs: of those that it may have, each has its turn.

Which of them it has is decided when a graph runs.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: ANN001, ANN202, ANN204, N801


class dict_keys:
    """`keys()`."""

    def __init__(self, held):
        self.held = held

    def __iter__(self):
        size, keys = len(self.held), self.held.in_order()
        for key in keys:
            if key in self.held:
                yield self._given(key)
                if len(self.held) != size:
                    raise RuntimeError("dictionary changed size during iteration")
                self.held.require_keys(keys)

    def _given(self, key):
        return key

    def __len__(self):
        return len(self.held)

    def __contains__(self, item):
        return item in self.held


class dict_values(dict_keys):
    """`values()`."""

    def _given(self, key):
        return self.held[key]

    def __contains__(self, item):
        return any(each == item for each in self)


class dict_items(dict_values):
    """`items()`."""

    def _given(self, key):
        return key, self.held[key]
