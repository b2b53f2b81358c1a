"""Text, tree and live function: from one to the other and back."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "push_form",
    "walrus_form",
)
