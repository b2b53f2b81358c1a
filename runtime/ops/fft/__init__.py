"""Fourier transforms: `rt.fft.fft`, `rfft`, `fftn` and their inverses, frequencies and their order."""

from runtime.graph.frames import show_callers_alone
from runtime.ops.fft.frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from runtime.ops.fft.several_axes import fftn, ifftn, irfftn, rfftn
from runtime.ops.fft.transforms import fft, hfft, ifft, ihfft, irfft, rfft

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

show_callers_alone(globals())
