"""`hasattr`, and `getattr` with a default, as programs, where code of the user's answers.

Python's own catch the AttributeError of a property or of `__getattr__` while the graph is built; whether it
is raised is decided when the graph runs.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: ANN001, ANN201


def has(owner, name, /):
    """`hasattr(owner, name)`."""
    try:
        getattr(owner, name)
    except AttributeError:
        return False
    return True


def found_or(owner, name, default, /):
    """`getattr(owner, name, default)`."""
    try:
        return getattr(owner, name)
    except AttributeError:
        return default


def gives(ask, /):
    """Whether a class knows an attribute that `ask` asks it for."""
    try:
        ask()
    except AttributeError:
        return False
    return True


def given_or(ask, default, /):
    """The attribute that `ask` asks a class for."""
    try:
        return ask()
    except AttributeError:
        return default
