"""Lowering of core ops to the loop language: one file for each kind of op."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "attempts",
    "called_products",
    "distinct",
    "edges",
    "folding",
    "inside_out",
    "keyed_draws",
    "lending",
    "masked",
    "matrices",
    "modular",
    "moving",
    "order_statistics",
    "products",
    "searching",
    "sliding",
    "sorting",
    "tables",
    "texts",
)
