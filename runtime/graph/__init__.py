"""The intermediate representation: ops, graphs, modules, and `bind()`, which records ops."""

from runtime.core.waiting import when_used

when_used(
    __name__,
    "parser",
    "printer",
    "strict",
    "tokens",
)
