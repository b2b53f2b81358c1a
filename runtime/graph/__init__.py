"""The intermediate representation: ops, graphs, modules, and `bind()`, which records ops."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "parser",
    "printer",
    "strict",
    "tokens",
)
