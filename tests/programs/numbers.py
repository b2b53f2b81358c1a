"""Programs about whole numbers."""

import math

import numpy as np


def gcd(a, b):
    """Euclid's divisor, and the factors that make it."""
    x0, x1, y0, y1 = 1, 0, 0, 1
    while b != 0:
        quotient, (a, b) = a // b, (b, a % b)
        x0, x1 = x1, x0 - quotient * x1
        y0, y1 = y1, y0 - quotient * y1
    return a, x0, y0


def primes(limit):
    """The sieve of Eratosthenes."""
    sieve = np.ones(61, dtype=bool)
    sieve[:2] = False
    sieve[limit:] = False
    for number in range(2, math.isqrt(limit) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    return np.flatnonzero(sieve), sieve.sum()


def factors(n):
    """The prime factors of a number."""
    found = []
    divisor = 2
    while divisor * divisor <= n:
        while n % divisor == 0:
            found.append(divisor)
            n //= divisor
        divisor += 1 if divisor == 2 else 2
    if n > 1:
        found.append(n)
    return found


def power_mod(base, exponent, modulus):
    """A power by squaring, and whether the modulus is probably prime."""
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result, result == 1


def collatz_table(limit):
    """The longest chain below a limit, with a table of what is known."""
    known = np.zeros(64, dtype=np.int64)
    known[1] = 1
    best = 1
    for start in range(2, limit):
        n, steps = start, 0
        while n >= 64 or known[n] == 0:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        known[start] = known[n] + steps
        if known[start] > known[best]:
            best = start
    return best, known[best]


def digits(n, base):
    """The digits of a number, its sum of digits, and whether it reads the same from behind."""
    found = []
    rest = abs(n)
    while rest:
        rest, digit = divmod(rest, base)
        found.append(digit)
    found = found[::-1] or [0]
    return found, sum(found), found == found[::-1]


def happy(n):
    """Whether the squares of digits lead to 1."""
    seen = set()
    while n != 1 and int(n) not in seen:
        seen.add(int(n))
        n = sum(int(digit) ** 2 for digit in str(n))
    return n == 1


def perfect_numbers(limit):
    """Numbers that are the sum of their divisors; the others by kind."""
    perfect, kinds = [], {"abundant": 0, "deficient": 0}
    for n in range(2, limit):
        total = 1
        for divisor in range(2, math.isqrt(n) + 1):
            if n % divisor == 0:
                total += divisor
                if divisor != n // divisor:
                    total += n // divisor
        if total == n:
            perfect.append(n)
        else:
            kinds["abundant" if total > n else "deficient"] += 1
    return perfect, kinds


def continued_fraction(x, limit):
    """A number as a chain of fractions, and the fraction that it is near."""
    terms, numerators, denominators = [], [1, 0], [0, 1]
    for _ in range(limit):
        whole = math.floor(x)
        terms.append(whole)
        numerators.append(whole * numerators[-1] + numerators[-2])
        denominators.append(whole * denominators[-1] + denominators[-2])
        if x - whole < 1e-9:
            break
        x = 1 / (x - whole)
    return terms, numerators[-1], denominators[-1]


def roman(n):
    """A number in Roman digits, as codes."""
    out = []
    for value, code in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while n >= value:
            out.append(code)
            n -= value
    return "".join(out)


def binomial(n, k):
    """A coefficient, or 0, or an error."""
    if n < 0:
        raise ValueError(f"{n} is negative")
    if not 0 <= k <= n:
        return 0
    result = 1
    for i in range(1, min(k, n - k) + 1):
        result = result * (n - i + 1) // i
    return result


def bits(n):
    """How many bits are set, the highest of them, Gray's code, and the bits the other way round."""
    count, highest, rest, turned = 0, -1, n, 0
    position = 0
    while rest:
        if rest & 1:
            count, highest = count + 1, position
        turned = turned << 1 | rest & 1
        rest >>= 1
        position += 1
    return count, highest, n ^ n >> 1, turned


def in_base(n, base):
    """The digits of a number in another base, with its sign, and what they are again."""
    if n == 0:
        return "0", 0
    sign, n, digits = "-" if n < 0 else "", abs(n), []
    while n > 0:
        n, digit = divmod(n, base)
        digits.append("0123456789abcdefghijklmnopqrstuvwxyz"[digit])
    text = sign + "".join(reversed(digits))
    return text, int(text, base), f"{int(text, base):#x}"
