"""A state machine: it finds the numbers in a text, one byte at a time, and adds them up.

``match`` says what each state makes of a byte. As a graph the whole machine is one loop of machine code.

``python examples/state_machine.py``
"""

from __future__ import annotations

import sys

import numpy as np
from beside import beside

TEXT = "-12.5 here, 3 apples, .25 litres, 1984; no number: -, x86, 7up, minus -- and then 42. "

GAP, MINUS, WHOLE, FRACTION, WORD = range(5)


def numbers(text):
    """How many numbers `text` has, and their sum."""
    state, sign, value, place = GAP, 1.0, 0.0, 1.0
    count, total = 0, 0.0
    for byte in text:
        if 48 <= byte <= 57:
            match state:
                case 0 | 1 | 2:
                    state, value = WHOLE, 10.0 * value + (byte - 48)
                case 3:
                    place = place / 10.0
                    value = value + place * (byte - 48)
        elif byte == ord(".") and state != WORD:
            state, place = FRACTION, 1.0
        elif byte == ord("-") and state == GAP:
            state, sign = MINUS, -1.0
        elif byte in b" ,;":
            if state in (WHOLE, FRACTION):
                count, total = count + 1, total + sign * value
            state, sign, value = GAP, 1.0, 0.0
        else:
            state = WORD
    return count, total


def main(copies=200):
    """The numbers in many copies of the text."""
    text = np.frombuffer(TEXT.encode() * copies, dtype=np.uint8)
    count, total = beside(numbers, text)
    print(f"{count} numbers in {len(text)} bytes; their sum is {total}")
    return count, total


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
