"""The special cases of the standard's elementwise functions, as data.

A case is ``inputs→result``. An input is a number or a class of numbers; operands have a comma between them,
the two parts of a complex number a colon. A result may speak of the operands, as `x1` and `x2`, or of the
parts, as `a` and `b`. Where the standard leaves a sign open, it begins with ``~``.
"""

import itertools
import math

CLASSES = {
    "positive": (0.5, 3.0, 1e4),
    "negative": (-0.5, -3.0),
    "zero": (0.0, -0.0),
    "nonzero": (0.5, -3.0),
    "finite": (0.0, -0.0, 0.5, -3.0),
    "infinite": (math.inf, -math.inf),
    "number": (0.0, -0.0, 0.5, -3.0, math.inf, -math.inf),
    "any": (0.0, -0.0, 0.5, -3.0, math.inf, -math.inf, math.nan),
    "above": (3.0, math.inf),
    "below": (-3.0, -math.inf),
    "greater": (0.5, 3.0, math.inf),
    "less": (-0.5, -3.0, -math.inf),
    "odd": (1.0, 3.0),
    "fraction": (0.5, -0.5),
    "whole": (1.0, -2.0, 7.0),
    "uneven": (0.5, 2.0, 4.5),
    "large": (1.5, -3.0, math.inf, -math.inf),
    "one": (1.0, -1.0),
    "many": (0.25, 2.0, -7.5),
}
"""Numbers that stand for all of their class."""

UNARY = """
abs       nan→nan -0.0→0.0 -inf→inf inf→inf
acos      nan→nan above→nan below→nan 1→0.0
acosh     nan→nan fraction→nan negative→nan 1→0.0 inf→inf
asin      nan→nan above→nan below→nan zero→x1
asinh     nan→nan zero→x1 infinite→x1
atan      nan→nan zero→x1 inf→pi/2 -inf→-pi/2
atanh     nan→nan above→nan below→nan 1→inf -1→-inf zero→x1
ceil      whole→x1 zero→x1 infinite→x1 nan→nan -0.5→-0.0 0.5→1.0
cos       nan→nan zero→1 infinite→nan
cosh      nan→nan zero→1 infinite→inf
exp       nan→nan zero→1 inf→inf -inf→0.0
expm1     nan→nan zero→x1 inf→inf -inf→-1
floor     whole→x1 zero→x1 infinite→x1 nan→nan 0.5→0.0 -0.5→-1.0
isfinite  infinite→False nan→False finite→True
isinf     infinite→True nan→False finite→False
isnan     infinite→False nan→True finite→False
log       nan→nan less→nan zero→-inf 1→0.0 inf→inf
log1p     nan→nan below→nan -1→-inf zero→x1 inf→inf
log2      nan→nan less→nan zero→-inf 1→0.0 inf→inf
log10     nan→nan less→nan zero→-inf 1→0.0 inf→inf
reciprocal nan→nan 0.0→inf -0.0→-inf inf→0.0 -inf→-0.0
round     whole→x1 zero→x1 infinite→x1 nan→nan 0.5→0.0 -0.5→-0.0 1.5→2.0 2.5→2.0
sign      nan→nan zero→0 greater→1 less→-1
signbit   0.0→False -0.0→True inf→False -inf→True positive→False negative→True
sin       nan→nan zero→x1 infinite→nan
sinh      nan→nan zero→x1 infinite→x1
sqrt      nan→nan less→nan zero→x1 inf→inf
square    nan→nan zero→0.0 infinite→inf
tan       nan→nan zero→x1 infinite→nan
tanh      nan→nan zero→x1 inf→1 -inf→-1
trunc     whole→x1 zero→x1 infinite→x1 nan→nan 0.5→0.0 -0.5→-0.0
"""

BINARY = """
add       nan,any→nan any,nan→nan inf,-inf→nan -inf,inf→nan inf,inf→inf -inf,-inf→-inf inf,finite→inf
add       -inf,finite→-inf finite,inf→inf finite,-inf→-inf -0.0,-0.0→-0.0 -0.0,0.0→0.0 0.0,-0.0→0.0
add       0.0,0.0→0.0 zero,nonzero→x2 nonzero,zero→x1 0.5,-0.5→0.0
subtract  nan,any→nan any,nan→nan inf,inf→nan -inf,-inf→nan inf,finite→inf finite,inf→-inf -0.0,0.0→-0.0
subtract  0.0,0.0→0.0 -0.0,-0.0→0.0 0.5,0.5→0.0
multiply  nan,any→nan any,nan→nan infinite,zero→nan zero,infinite→nan inf,greater→inf inf,less→-inf
multiply  -inf,greater→-inf -inf,less→inf positive,-inf→-inf negative,-inf→inf 0.0,negative→-0.0 -0.0,-0.0→0.0
divide    nan,any→nan any,nan→nan infinite,infinite→nan zero,zero→nan 0.0,greater→0.0 -0.0,greater→-0.0
divide    0.0,less→-0.0 -0.0,less→0.0 greater,0.0→inf greater,-0.0→-inf less,0.0→-inf less,-0.0→inf
divide    inf,positive→inf inf,negative→-inf -inf,positive→-inf -inf,negative→inf positive,inf→0.0
divide    positive,-inf→-0.0 negative,inf→-0.0 negative,-inf→0.0
floor_divide nan,any→nan any,nan→nan infinite,infinite→nan zero,zero→nan 0.0,greater→0.0 -0.0,greater→-0.0
floor_divide 0.0,less→-0.0 -0.0,less→0.0 greater,0.0→inf greater,-0.0→-inf less,0.0→-inf less,-0.0→inf
floor_divide positive,inf→0.0 negative,-inf→0.0 infinite,nonzero→nan positive,-inf→-1 negative,inf→-1
remainder nan,any→nan any,nan→nan infinite,infinite→nan zero,zero→nan zero,greater→0.0 zero,less→-0.0
remainder number,zero→nan infinite,nonzero→nan positive,inf→x1 positive,-inf→x2 negative,inf→x2
remainder negative,-inf→x1
pow       0.5,nan→nan nan,nan→nan any,zero→1 nan,nonzero→nan large,inf→inf large,-inf→0.0 one,infinite→1
pow       1,number→1 fraction,inf→0.0 fraction,-inf→inf inf,greater→inf inf,less→0.0 -inf,odd→-inf
pow       -inf,uneven→inf -inf,-3.0→-0.0 -inf,-0.5→0.0 0.0,greater→0.0 0.0,less→inf -0.0,odd→-0.0
pow       -0.0,uneven→0.0 -0.0,-3.0→-inf -0.0,-0.5→inf negative,fraction→nan
atan2     nan,any→nan any,nan→nan positive,zero→pi/2 0.0,greater→0.0 0.0,0.0→0.0 0.0,-0.0→pi 0.0,less→pi
atan2     -0.0,greater→-0.0 -0.0,0.0→-0.0 -0.0,-0.0→-pi -0.0,less→-pi negative,zero→-pi/2 positive,inf→0.0
atan2     positive,-inf→pi negative,inf→-0.0 negative,-inf→-pi inf,finite→pi/2 -inf,finite→-pi/2 inf,inf→pi/4
atan2     inf,-inf→3*pi/4 -inf,inf→-pi/4 -inf,-inf→-3*pi/4
copysign  many,less→-abs(x1) many,-0.0→-abs(x1) many,0.0→abs(x1) many,greater→abs(x1) infinite,-0.0→-inf
equal     nan,any→False any,nan→False inf,inf→True -inf,-inf→True zero,zero→True 0.5,0.5→True inf,-inf→False
not_equal nan,any→True any,nan→True inf,-inf→True -inf,inf→True zero,zero→False 0.5,-3.0→True inf,inf→False
hypot     infinite,any→inf any,infinite→inf zero,finite→abs(x2) finite,zero→abs(x1) finite,nan→nan
hypot     nan,finite→nan nan,nan→nan
logaddexp nan,any→nan any,nan→nan inf,number→inf number,inf→inf
maximum   nan,any→nan any,nan→nan
minimum   nan,any→nan any,nan→nan
nextafter nan,any→nan any,nan→nan -0.0,0.0→0.0 0.0,-0.0→-0.0
"""

COMPLEX = """
abs       infinite:any→inf any:infinite→inf zero:finite→abs(b) finite:zero→abs(a) nan:finite→nan
abs       finite:nan→nan nan:nan→nan
acos      zero:0.0→pi/2:-0.0 zero:nan→pi/2:nan finite:inf→pi/2:-inf nonzero:nan→nan:nan -inf:positive→pi:-inf
acos      inf:positive→0.0:-inf -inf:inf→3*pi/4:-inf inf:inf→pi/4:-inf infinite:nan→nan:~inf
acos      nan:finite→nan:nan nan:inf→nan:-inf nan:nan→nan:nan
acosh     zero:0.0→0.0:pi/2 finite:inf→inf:pi/2 nonzero:nan→nan:nan 0.0:nan→nan:~pi/2 -inf:positive→inf:pi
acosh     inf:positive→inf:0.0 -inf:inf→inf:3*pi/4 inf:inf→inf:pi/4 infinite:nan→inf:nan nan:finite→nan:nan
acosh     nan:inf→inf:nan nan:nan→nan:nan
asinh     0.0:0.0→0.0:0.0 positive:inf→inf:pi/2 finite:nan→nan:nan inf:positive→inf:0.0 inf:inf→inf:pi/4
asinh     nan:0.0→nan:0.0 nan:nonzero→nan:nan nan:inf→~inf:nan nan:nan→nan:nan
atanh     0.0:0.0→0.0:0.0 0.0:nan→0.0:nan 1:0.0→inf:0.0 positive:inf→0.0:pi/2 nonzero:nan→nan:nan
atanh     inf:positive→0.0:pi/2 inf:inf→0.0:pi/2 inf:nan→0.0:nan nan:finite→nan:nan nan:inf→~0.0:pi/2
atanh     nan:nan→nan:nan
cosh      0.0:0.0→1:0.0 0.0:inf→nan:~0.0 0.0:nan→nan:~0.0 nonzero:inf→nan:nan nonzero:nan→nan:nan
cosh      inf:0.0→inf:0.0 inf:nonzero→inf*cos(b):inf*sin(b) inf:inf→~inf:nan inf:nan→inf:nan nan:zero→nan:~0.0
cosh      nan:nonzero→nan:nan nan:nan→nan:nan
exp       zero:0.0→1:0.0 finite:inf→nan:nan finite:nan→nan:nan inf:0.0→inf:0.0
exp       -inf:finite→0.0*cos(b):0.0*sin(b) inf:nonzero→inf*cos(b):inf*sin(b) -inf:inf→~0.0:~0.0
exp       inf:inf→~inf:nan -inf:nan→~0.0:~0.0
exp       inf:nan→~inf:nan nan:0.0→nan:0.0 nan:nonzero→nan:nan nan:nan→nan:nan
expm1     zero:0.0→~0.0:0.0 finite:inf→nan:nan finite:nan→nan:nan inf:0.0→inf:0.0 -inf:finite→-1:0.0*sin(b)
expm1     inf:nonzero→inf*cos(b):inf*sin(b) -inf:inf→-1:~0.0 inf:inf→~inf:nan -inf:nan→-1:~0.0
expm1     inf:nan→~inf:nan nan:0.0→nan:0.0 nan:nonzero→nan:nan nan:nan→nan:nan
isfinite  nan:any→False any:nan→False infinite:any→False any:infinite→False finite:finite→True
isinf     infinite:any→True any:infinite→True finite:finite→False nan:finite→False
isnan     nan:any→True any:nan→True finite:finite→False infinite:finite→False
log       -0.0:0.0→-inf:pi 0.0:0.0→-inf:0.0 finite:inf→inf:pi/2 finite:nan→nan:nan -inf:positive→inf:pi
log       inf:positive→inf:0.0 -inf:inf→inf:3*pi/4 inf:inf→inf:pi/4 infinite:nan→inf:nan nan:finite→nan:nan
log       nan:inf→inf:nan nan:nan→nan:nan
log1p     -1:0.0→-inf:0.0 finite:inf→inf:pi/2 finite:nan→nan:nan -inf:positive→inf:pi inf:positive→inf:0.0
log1p     -inf:inf→inf:3*pi/4 inf:inf→inf:pi/4 infinite:nan→inf:nan nan:finite→nan:nan nan:inf→inf:nan
log1p     nan:nan→nan:nan
round     0.5:1.5→0.0:2.0 -0.0:0.0→-0.0:0.0 infinite:nan→a:nan nan:infinite→nan:b 2.5:-0.5→2.0:-0.0
sign      zero:zero→0:0 nan:any→nan:nan any:nan→nan:nan
sinh      0.0:0.0→0.0:0.0 0.0:inf→~0.0:nan 0.0:nan→~0.0:nan positive:inf→nan:nan positive:nan→nan:nan
sinh      inf:0.0→inf:0.0 inf:positive→inf*cos(b):inf*sin(b) inf:inf→~inf:nan inf:nan→~inf:nan nan:0.0→nan:0.0
sinh      nan:nonzero→nan:nan nan:nan→nan:nan
sqrt      zero:0.0→0.0:0.0 any:inf→inf:inf finite:nan→nan:nan -inf:positive→0.0:inf inf:positive→inf:0.0
sqrt      -inf:nan→nan:~inf inf:nan→inf:nan nan:finite→nan:nan nan:nan→nan:nan
tanh      0.0:0.0→0.0:0.0 nonzero:inf→nan:nan 0.0:inf→0.0:nan nonzero:nan→nan:nan 0.0:nan→0.0:nan
tanh      inf:positive→1:~0.0 inf:inf→1:~0.0 inf:nan→1:~0.0 nan:0.0→nan:0.0 nan:nonzero→nan:nan
tanh      nan:nan→nan:nan
"""

NAMES = {"inf": math.inf, "nan": math.nan, "pi": math.pi, "cos": math.cos, "sin": math.sin, "abs": abs}


def numbers(text):
    """The numbers that an input stands for."""
    return CLASSES[text] if text in CLASSES else (float(eval(text, NAMES)),)


def cases_of(table, between, names):
    """For each function, its cases: numbers for the inputs, and the texts of the result."""
    found = {}
    for line in table.strip().splitlines():
        function, *cases = line.split()
        for inputs, result in (case.split("→") for case in cases):
            for chosen in itertools.product(*(numbers(each) for each in inputs.split(between))):
                context = {**NAMES, **dict(zip(names, chosen, strict=False))}
                found.setdefault(function, []).append(
                    (chosen, [value_of(part, context) for part in result.split(":")])
                )
    return found


def value_of(text, context):
    """The value of a part of a result, and whether its sign is known."""
    return eval(text.removeprefix("~"), context), not text.startswith("~")


def turned(case):
    """A case of a function of ``x * 1j`` as one of ``x``."""
    (a, b), parts = case
    return (b, -a), parts


def turned_back(case):
    """A case of ``-1j * f(x * 1j)``, from one of `f`."""
    (a, b), ((u, u_signed), (v, v_signed)) = case
    return (b, -a), [(v, v_signed), (-u, u_signed)]


def in_base(base):
    def change(case):
        chosen, parts = case
        return chosen, [(value / math.log(base), signed) for value, signed in parts]

    return change


DERIVED = {
    "asin": ("asinh", turned_back),
    "atan": ("atanh", turned_back),
    "sin": ("sinh", turned_back),
    "tan": ("tanh", turned_back),
    "cos": ("cosh", turned),
    "log2": ("log", in_base(2)),
    "log10": ("log", in_base(10)),
}
"""Functions of complex numbers whose cases the standard gives by those of another."""


def complex_cases():
    found = cases_of(COMPLEX, ":", "ab")
    found |= {name: [change(case) for case in found[of]] for name, (of, change) in DERIVED.items()}
    return found
