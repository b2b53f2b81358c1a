"""`random.shuffle`, `random.choice` and NumPy's as Python code to convert, once places are drawn."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: ANN001, ANN201, D103

from __future__ import annotations


def items_in_order(items, order):
    items[:] = [items[place] for place in order]


def item_at(items, place):
    return items[place]


def items_at(items, places):
    return [items[place] for place in places]


def rows_in_order(array, order):
    array[...] = array[order]
