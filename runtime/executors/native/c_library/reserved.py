"""Names that have a meaning in C or C++ already."""

from __future__ import annotations

__all__ = ["KEYWORDS", "TAKEN"]

_WORDS = """
alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool
break case catch char char16_t char32_t char8_t class co_await co_return co_yield compl concept
const const_cast consteval constexpr constinit continue decltype default delete do double
dynamic_cast else enum explicit export extern false float for friend goto if inline int linux long
mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
reflexpr register reinterpret_cast requires restrict return short signed sizeof static static_assert
static_cast struct switch synchronized template this thread_local throw true try typedef typeid
typename typeof union unix unsigned using virtual void volatile wchar_t while xor xor_eq
"""

_FUNCTIONS = """
abort abs accept access asctime assert atexit atof atoi atol atoll bind bsearch calloc clearerr clock
close connect ctime difftime div drem environ errno exit exp10 fclose feof ferror fflush fgetc fgets
fopen fork fprintf fputc fputs fread free freopen fscanf fseek ftell fwrite gamma getc getchar
getenv getpid gets gmtime htonl htons index isalnum isalpha iscntrl isdigit isgraph islower isprint
ispunct isspace isupper isxdigit j0 j1 jn kill labs ldiv lgamma_r link listen llabs lldiv localeconv
localtime longjmp lseek main malloc mblen memchr memcmp memcpy memmove memset mktime nice open pause
perror pipe poll pow10 printf putc putchar puts qsort raise rand read realloc remove rename rewind
rindex scalb scanf select send setbuf setenv setjmp setlocale setvbuf signal signgam significand
sleep snprintf socket sprintf srand sscanf stat stderr stdin stdout strcat strchr strcmp strcoll
strcpy strcspn strdup strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr
strtod strtof strtok strtol strtold strtoll strtoul strtoull strxfrm sync system time tmpfile tmpnam
tolower toupper truncate ungetc unlink va_list vfprintf vprintf vsnprintf vsprintf wait write y0 y1
yn
"""

_MATHEMATICS = """
acos acosh asin asinh atan atan2 atanh cabs carg cbrt ceil cexp cimag clog conj copysign cos cosh
cpow cproj creal csin csqrt erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot
ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint
nextafter nexttoward pow remainder remquo rint round roundeven scalbln scalbn sin sincos sinh sqrt
tan tanh tgamma trunc
"""

KEYWORDS = frozenset(_WORDS.split())
"""Words of C's and C++'s, and what compilers define in lower case."""
TAKEN = (
    KEYWORDS
    | frozenset(_FUNCTIONS.split())
    | {f"{name}{suffix}" for name in _MATHEMATICS.split() for suffix in ("", "f", "l")}
)
"""What a function of a library cannot be called: in a program, it would take the place of another."""
