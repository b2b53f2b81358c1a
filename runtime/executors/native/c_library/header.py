"""The header of a library: what a program in C or C++ includes, and its reader reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.executors.native.c_library.interface import Given, Interface, Memory, Result
from runtime.executors.native.c_library.statuses import STATUSES

__all__ = ["header"]

_WIDTH = 100


def header(interface: Interface, title: str, *, needs_libm: bool) -> str:
    """The text of the header.

    Parameters
    ----------
    interface : Interface
    title : str
        Of which function in Python it is, in a line.
    needs_libm : bool
        Whether a program with the code in it is linked with the C library's mathematics.
    """
    name = interface.name
    guard = f"{name.upper()}_H"
    parts = [
        _comment([title, *(["Link with -lm."] if needs_libm else [])]),
        f"#ifndef {guard}\n#define {guard}",
        "#include <stdint.h>\n#ifndef __cplusplus\n#include <stdbool.h>\n#endif",
        *_complex_types(interface),
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        _statuses(name),
        f"{_comment(_about(interface))}\n{_declaration(interface)}",
        f"{_comment(_ABOUT_ERROR)}\nconst char *{name}_error(void);",
    ]
    if interface.has_library_memory:
        about = _comment([f"Frees a result that {name} has made; NULL is fine."])
        parts.append(f"{about}\nvoid {name}_free(void *result);")
    parts += ["#ifdef __cplusplus\n}\n#endif", "#endif"]
    return "\n\n".join(parts) + "\n"


_ABOUT_ERROR = (
    "What the last call in this thread that did not give 0 has to say, with the line of the program;",
    "an empty text where there was none. It is there until the next such call.",
)


def _declaration(interface: Interface) -> str:
    """The function, on a line or with one parameter on each."""
    parameters = [*_declared(interface)] or ["void"]
    line = f"int {interface.name}({', '.join(parameters)});"
    if len(line) <= _WIDTH:
        return line
    inside = ",\n".join(f"    {parameter}" for parameter in parameters)
    return f"int {interface.name}(\n{inside});"


def _declared(interface: Interface) -> Iterator[str]:
    """The parameters, each with its type."""
    for given in interface.given:
        number = interface.c_type(given.spec.dtype)
        if not given.spec.shape:
            is_pair = given.spec.dtype.is_complex
            yield f"const {number} *{given.name}" if is_pair else f"{number} {given.name}"
            continue
        yield f"{number} *{given.name}" if given.is_written else f"const {number} *{given.name}"
        yield from (f"int64_t {length}" for length in given.own_lengths)
    for result in interface.results:
        number = interface.c_type(result.dtype)
        if result.memory is Memory.CALLERS:
            yield f"{number} *{result.name}"
        elif result.memory is Memory.LIBRARYS:
            yield f"{number} **{result.name}"
            yield from (f"int64_t *{length}" for length in result.own_lengths)


def _complex_types(interface: Interface) -> Iterator[str]:
    """The types of complex numbers: those of C and those of C++ lie in memory alike."""
    dtypes = [(dtype, "float" if dtype.itemsize == 8 else "double") for dtype in interface.complex_dtypes]
    if dtypes:
        in_c = [f"typedef {part} _Complex {interface.c_type(dtype)};" for dtype, part in dtypes]
        other = [f"typedef std::complex<{part}> {interface.c_type(dtype)};" for dtype, part in dtypes]
        yield "\n".join(["#ifdef __cplusplus", "#include <complex>", *other, "#else", *in_c, "#endif"])


def _statuses(name: str) -> str:
    lines = [
        f"  {name.upper()}_{status} = {number}{',' if number + 1 < len(STATUSES) else ''} /* {why} */"
        for number, (status, why) in enumerate(STATUSES.items())
    ]
    return "\n".join(["enum {", *lines, "};"])


def _about(interface: Interface) -> Iterator[str]:
    yield f"Gives {interface.name.upper()}_OK, which is 0, or another status; then the results are not valid."
    yield "Threads may call it at the same time. Arrays lie row by row, and apart from each other."
    yield ""
    rows = [*map(_about_given, interface.given)]
    rows += [_about_result(result) for result in interface.results if result.memory is not Memory.ARGUMENTS]
    width = max([len(name) for name, _ in rows], default=0)
    for name, text in rows:
        yield f"{name:<{width}}  {text}"


def _about_given(given: Given) -> tuple[str, str]:
    if not given.spec.shape:
        return given.name, "the address of a number" if given.spec.dtype.is_complex else "a number"
    written = ", which are written to" if given.is_written else ""
    return given.name, f"{_count(given.lengths)}{written}"


def _about_result(result: Result) -> tuple[str, str]:
    if not result.lengths:
        return result.name, "gets a number"
    count = _count(result.lengths)
    if result.memory is Memory.CALLERS:
        return result.name, f"has room for {count}, and gets them"
    lengths = " and ".join(f"*{length}" for length in result.own_lengths)
    return result.name, f"gets the address of {count} in new memory, and {lengths} how many"


def _count(lengths: Sequence[int | str]) -> str:
    return f"{' * '.join(map(str, lengths))} numbers"


def _comment(lines: Sequence[str] | Iterator[str]) -> str:
    first, *rest = [line.replace("*/", "* /") for line in lines]
    return "\n".join([f"/* {first}", *[f" * {line}".rstrip() for line in rest]]) + " */"
