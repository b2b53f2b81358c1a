"""NumPy's functions on tensors give what they give on arrays: at once, and in graphs on every executor."""

import re

import numpy as np
import pytest

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.structure import flatten, unflatten
from runtime.executors.base import choose
from runtime.graph.build import as_tensor, building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.symbol import Symbol
from runtime.numpy_functions import calls
from runtime.numpy_functions.table import TABLE, title

ARRAYS = {
    "x": np.array([[3.0, -1.5, 2.0], [0.5, 4.0, -2.5]]),
    "y": np.array([[1.0, 2.0, -3.0], [2.5, 0.0, 1.0]]),
    "f": np.array([[3.0, -1.5, 2.0], [0.5, 4.0, -2.5]], np.float32),
    "i": np.array([[3, 1, 2], [5, 4, 3]], np.int32),
    "j": np.array([2, 0, 1]),
    "b": np.array([[True, False, True], [False, False, True]]),
    "m": np.array([True, False, True]),
    "c": np.array([1 + 2j, -3j, 2.0]),
    "n": np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, np.inf]]),
    "v": np.array([0.5, 2.0, -1.0]),
    "w": np.array([1.0, 3.0, 6.0, 6.5]),
    "u": np.array([3, 1, 3, 2, 1], np.int64),
    "s": np.array([[4.0, 1.0], [1.0, 3.0]]),
    "r": np.array([[1.0, 2.0], [3.0, 4.0], [0.0, -1.0]]),
    "t": np.arange(24.0).reshape(2, 3, 4) / 7,
    "z": np.array([0.0, 0.0, 2.0, 0.0, 3.0, 0.0]),
    "k": np.array(2),
    "e": np.array(0.75),
}
"""What the letters in the cases stand for."""

CORNERS = {
    "a": np.array([-0.0, 0.0, np.nan, np.inf, -np.inf, 1.5]),
    "d": np.array([-0.0, -0.0]),
    "o": np.zeros(0),
    "oo": np.zeros((0, 3)),
    "h": np.array([-0.0, 4.0, 60000.0], np.float16),
    "q": np.array([0, 1, 200, 255], np.uint8),
    "l": np.array([-128, 127, 0], np.int8),
    "g": np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, 0]),
    "p": np.array([complex(-0.0, 0.0), 1 + 2j, -3j]),
}
"""Values at which functions take a turn: signs of zeros, no elements, the ends of a dtype."""
ARRAYS |= CORNERS

CASES = """
np.sum(x) np.sum(x, axis=0) np.sum(i) np.sum(i, 1, np.int16) np.sum(x, where=b) np.sum(x, initial=2)
np.sum(b) np.sum(x, axis=(0, 1), keepdims=True) np.sum(f) np.sum(f, dtype=float) np.prod(x)
np.prod(i, axis=1, keepdims=True) np.prod(x, where=b, initial=3) np.max(x) np.amax(x, axis=1)
np.max(i, initial=9) np.max(x, axis=0, where=b, initial=-9) np.min(x) np.amin(x, axis=1)
np.min(x, where=b, initial=9) np.all(b) np.all(b, axis=0) np.all(x, where=b) np.any(b)
np.any(b, axis=1, keepdims=True) np.any(x, where=b) np.argmax(x) np.argmax(x, axis=1)
np.argmin(x, axis=0, keepdims=True) np.count_nonzero(b) np.count_nonzero(i, axis=0) np.ptp(x)
np.ptp(x, axis=1) np.cumsum(x) np.cumsum(i, axis=1) np.cumsum(i, dtype=np.int8) np.cumprod(x, axis=0)
np.cumprod(i) np.cumulative_sum(v) np.cumulative_sum(x, axis=1, include_initial=True) np.cumulative_prod(v)
np.mean(x) np.mean(i) np.mean(f, axis=0) np.mean(x, where=b)
np.mean(x, axis=1, dtype=np.float32, keepdims=True) np.var(x) np.var(i, axis=0) np.var(f, ddof=1)
np.var(x, axis=1, where=b) np.var(c) np.var(x, correction=1)
np.var(x, axis=0, keepdims=True, mean=np.mean(x, axis=0, keepdims=True)) np.std(x)
np.std(x, axis=0, keepdims=True) np.std(f, ddof=1) np.std(i) np.median(x) np.median(f, axis=0)
np.median(i, axis=1, keepdims=True) np.quantile(x, 0.3) np.quantile(f, 0.25)
np.quantile(f, [0.25, 0.5], axis=1) np.quantile(x, 0.3, method="nearest") np.quantile(i, e)
np.quantile(i, 0) np.quantile(i, 1, axis=0) np.quantile(i, [0, 1]) np.percentile(i, 50, method="lower")
np.quantile(f / 0, 1) np.quantile(n.astype("f"), 0, axis=1) np.quantile(f, e)
np.quantile(i, 0.5, method="higher") np.quantile(i.astype("b") * 40, 0.5, axis=1)
np.nanquantile(i, 1) np.nanquantile(f / 0, 0) np.percentile(f, 30)
np.percentile(x, 40) np.percentile(f, 40.0) np.percentile(x, [10, 90], axis=0, keepdims=True) np.average(x)
np.average(x, axis=1, weights=v) np.average(x, weights=y) np.average(i, axis=0, returned=True) np.cov(x)
np.cov(v, v) np.cov(x, rowvar=False, bias=True) np.cov(v) np.corrcoef(x) np.corrcoef(v, v) np.nansum(n)
np.nansum(n, axis=0) np.nanprod(n, axis=1) np.nanmax(n) np.nanmin(n, axis=0) np.nanmax(i)
np.nanmean(n, axis=0) np.nanmean(x, where=b) np.nanvar(n[:, :2]) np.nanstd(n[:, :2], axis=0)
np.nanargmax(n, axis=1) np.nanargmin(n, axis=1) np.nancumsum(n) np.nancumprod(n, axis=0)
np.nanmedian(n[:, :2]) np.nanmedian(i) np.nanquantile(n[:, :2], 0.2) np.nanpercentile(n[:, :2], 20, axis=0)
np.nansum(i) np.nanmean(i) np.clip(x, 0, 2) np.clip(i, 2, None) np.clip(x, a_min=v, a_max=3)
np.clip(f, -1.0, 1.0) np.clip(i, min=2.5) np.round(x) np.round(x, 1) np.around(i, -1) np.round(f, 1)
np.fix(x) np.real(c) np.imag(c) np.real(x) np.imag(x) np.angle(c) np.angle(c, deg=True) np.angle(x)
np.sinc(x) np.nan_to_num(n) np.nan_to_num(n, nan=1.0, posinf=7.0) np.nan_to_num(i) np.unwrap(w * 2)
np.isreal(c) np.iscomplex(c) np.isposinf(n) np.isneginf(n) np.isreal(x) np.isclose(x, y)
np.isclose(x, x + 1e-9) np.isclose(n, n, equal_nan=True) np.isclose(i, 3) np.isclose(b, b) np.allclose(x, y)
np.allclose(x, x) np.allclose(n, n, equal_nan=True) np.array_equal(x, x) np.array_equal(x, v)
np.array_equal(n, n, equal_nan=True) np.array_equiv(x, x) np.array_equiv(x, v) np.shape(x) np.ndim(x)
np.size(x) np.size(x, 1) np.size(t, (0, 2)) np.iscomplexobj(c) np.isrealobj(c) np.reshape(x, (3, 2))
np.reshape(x, -1) np.reshape(x, (3, 2), order="F") np.ravel(x) np.ravel(x, order="F") np.transpose(x)
np.transpose(t, (1, 2, 0)) np.matrix_transpose(x) np.swapaxes(t, 0, 2) np.moveaxis(t, 0, -1)
np.linalg.matrix_transpose(x) np.rollaxis(t, 2) np.rollaxis(t, 0, 3) np.squeeze(x[None])
np.squeeze(x[None], axis=0) np.expand_dims(x, 1) np.expand_dims(x, (0, 2)) np.broadcast_to(v, (2, 3))
np.broadcast_arrays(x, v) np.atleast_1d(e) np.atleast_2d(v) np.atleast_3d(v) np.atleast_3d(x)
np.atleast_1d(v, e) np.flip(x) np.flip(x, 1) np.flipud(x) np.fliplr(x) np.rot90(x) np.rot90(x, 2)
np.rot90(x, -1) np.rot90(t, 1, (1, 2)) np.roll(x, 1) np.roll(x, -1, axis=1) np.roll(x, (1, 2), axis=(0, 1))
np.roll(v, k) np.roll(x, k, axis=1) np.roll(x, k) np.tile(v, 2) np.tile(x, (2, 1)) np.repeat(v, 2)
np.repeat(x, 2, axis=1) np.repeat(v, j) np.repeat(x, [1, 2], axis=0) np.repeat(v, k) np.resize(v, (2, 4))
np.pad(v, 1) np.pad(x, ((1, 0), (0, 2))) np.pad(v, (1, 2), constant_values=(7, 8)) np.pad(v, 2, mode="edge")
np.pad(v, 2, mode="wrap") np.pad(v, 2, mode="reflect") np.pad(v, 2, mode="symmetric") np.pad(i, 1)
np.tril(x) np.triu(x, 1) np.tril(v) np.triu(v) np.diag(v) np.diag(x) np.diag(v, -1) np.diagflat(s)
np.diagonal(t) np.diagonal(x, 1) np.trace(x) np.trace(t, axis1=1, axis2=2) np.trim_zeros(z)
np.trim_zeros(z, "b") np.trim_zeros(z, "f") np.concatenate([x, y]) np.concatenate([x, i], axis=1)
np.concatenate([x, y], axis=None) np.concatenate([f, [[1, 2, 3]]]) np.concatenate([i, i], dtype=float)
np.stack([v, v]) np.stack([v, v], axis=1) np.stack([f, f]) np.concatenate(t) np.hstack([v, v])
np.hstack([x, y]) np.vstack([v, v]) np.dstack([v, v]) np.dstack([x, y]) np.column_stack([v, v])
np.column_stack([s, r[:2]]) np.block([[x, x], [y, y]]) np.block([v, v]) np.append(v, 1)
np.append(x, y, axis=0) np.split(v, 3) np.split(x, [1], axis=1) np.array_split(ARRAYS["w"] + v[0], 3)
np.hsplit(x, [1, 2]) np.vsplit(x, [1]) np.dsplit(t, [1]) np.unstack(ARRAYS["x"] + e) np.insert(v, 1, 9.0)
np.insert(x, 1, v, axis=0) np.insert(x, 1, 5, axis=1) np.delete(v, 1) np.delete(x, [0, 2], axis=1)
np.delete(v, slice(1, None)) np.delete(v, k) np.delete(v, -1) np.where(b, x, y) np.where(b, x, 0)
np.where(b, 1, i) np.where(b, f, 0.5) np.where(b, 1, 0) np.where(b) np.where(m, 1.5, 2) np.take(v, j)
np.take(x, [0, 2], axis=1) np.take(x, 4) np.take(v, [5, -4], mode="wrap") np.take(v, [5], mode="clip")
np.take_along_axis(x, np.argsort(x, axis=1), axis=1) np.take_along_axis(v, j, axis=None)
np.choose(j, [v, v + 1, v + 2]) np.choose([7], [v, v + 1], mode="clip")
np.choose([3], [v, v + 1], mode="wrap") np.select([x > 2, x > 0], [x, -x])
np.select([b, b], [i, i], default=7) np.select([b], [f], default=0.5) np.select([m], [1], default=v)
np.piecewise(x, [x < 0, x >= 0], [lambda a: -a, lambda a: a * 2]) np.piecewise(v, [m], [1, 2])
np.compress(m, v) np.compress([True, False], x, axis=0) np.extract(b, x) np.nonzero(x) np.argwhere(b)
np.flatnonzero(b) x[np.ix_([0, 1], m)] np.unravel_index(j, (2, 2)) np.ravel_multi_index((j, j), (3, 3))
np.ravel_multi_index((j + 2, j), (3, 3), mode="wrap") np.ravel_multi_index((j + 2, j), (3, 3), mode="clip")
np.tril_indices_from(ARRAYS["s"] + e) np.triu_indices_from(ARRAYS["s"] + e, 1)
np.diag_indices_from(ARRAYS["s"] + e) np.sort(x) np.sort(x, axis=0) np.sort(x, axis=None) np.argsort(x)
np.argsort(u, kind="stable") np.sort_complex(v) np.partition(u, 2)[2] np.argpartition(v, 1)[1]
np.lexsort((v, j)) np.searchsorted(w, v) np.searchsorted(w, 3.0, side="right")
np.searchsorted(v, 1.0, sorter=np.argsort(v)) np.digitize(v, w) np.digitize(w, [6.5, 3, 1])
np.digitize(w, w, right=True) np.unique(u) np.unique(u, return_index=True)
np.unique(u, return_inverse=True, return_counts=True) np.unique(i, axis=0) np.unique(x) np.unique_all(u)
np.unique_counts(u) np.unique_inverse(u) np.sort(np.unique_values(u)) np.isin(u, [1, 2])
np.isin(x, v, invert=True) np.union1d(u, j) np.intersect1d(u, j) np.setdiff1d(u, j) np.setxor1d(u, j)
np.bincount(u) np.bincount(u, minlength=6) np.bincount(j, weights=v) np.histogram(v)
np.bincount(u, minlength=k + 9) np.bincount(u, None, k) np.bincount(j, v, k + 7)
np.lib.stride_tricks.sliding_window_view(v, k) np.lib.stride_tricks.sliding_window_view(x, (1, k))
np.histogram(x, bins=3, range=(0, 4)) np.histogram(u, bins=[0, 2, 4]) np.histogram(v, bins=w, density=True)
np.histogram(v, range=(0, v.max())) np.histogram(f, 3, (f.min() - 1, f.max()), density=True)
np.histogram(v, 3, weights=v) np.histogram(f, 4) np.histogram_bin_edges(v, 4) np.zeros_like(x)
np.zeros_like(i, dtype=float) np.ones_like(f) np.full_like(x, 7) np.full_like(i, 2.7) np.full_like(v, e)
np.zeros_like(x, shape=(2, 2)) np.copy(x) np.astype(x, np.int32) np.zeros((2, 2), like=v)
np.ones(3, int, like=v) np.full((2,), 3, like=v) np.eye(2, 3, like=v) np.identity(2, like=v)
np.arange(3, like=v) np.arange(1, 7, 2, like=v) np.array([1, 2], like=v) np.asarray([1.5], like=v)
np.tri(2, 3, 1, like=v) np.empty_like(x, shape=(0, 2)) np.full(2, e, like=v) np.linspace(e, 3, 5)
np.linspace(v, 2, 3) np.linspace(e, 3, 5, endpoint=False, retstep=True) np.linspace(e, 9, 4, dtype=int)
np.linspace(e, 3, 1) np.logspace(e, 2, 3) np.geomspace(e, 8, 4) np.meshgrid(v, w)
np.meshgrid(v, w, indexing="ij", sparse=True) np.diff(v) np.diff(x, axis=0) np.diff(v, 2)
np.diff(v, prepend=0.0) np.diff(x, append=y[:, :1]) np.diff(b) np.ediff1d(x)
np.ediff1d(v, to_begin=1.0, to_end=[2.0, 3.0]) np.trapezoid(v) np.trapezoid(v, dx=0.5)
np.trapezoid(x, v, axis=1) np.trapezoid(x, axis=0) np.gradient(v) np.gradient(w, 0.5) np.gradient(w, w)
np.gradient(t, axis=(0, 2)) np.gradient(x) np.gradient(w, edge_order=2)
np.gradient(w, ARRAYS["w"], edge_order=2) np.gradient(i, axis=1) np.interp(v, w, w * 2)
np.interp(v, w, w * 2, left=-1, right=7) np.interp(v, w, w, period=4.0) np.interp(e, w, w) np.convolve(v, w)
np.convolve(v, w, "same") np.convolve(w, v, mode="valid") np.correlate(w, v) np.correlate(c, v, "full")
np.lib.stride_tricks.sliding_window_view(w, 2) np.lib.stride_tricks.sliding_window_view(x, (2, 2))
np.dot(x, r) np.dot(v, v) np.dot(x, v) np.dot(e, v) np.dot(t, t[0].T) np.dot(t, np.swapaxes(t, 1, 2))
np.inner(x, v) np.inner(x, y) np.vdot(x, y) np.vdot(c, c) np.outer(v, w) np.outer(x, v)
np.linalg.outer(v, w) np.tensordot(x, r, 1) np.tensordot(t, t, axes=([0, 1], [0, 1]))
np.tensordot(x, y, axes=(1, 1)) np.linalg.tensordot(x, r, axes=1) np.linalg.matmul(x, r)
np.linalg.vecdot(x, y) np.einsum("ij,jk->ik", x, r) np.einsum("ij->j", x)
np.einsum(x, [0, 1], r, [1, 2], [2, 0]) np.einsum(x, [27, 3]) np.einsum(t, [..., 0])
np.kron(s, x) np.kron(v, s)
np.cross(v, w[:3]) np.cross(x, y) np.cross(x, y[0]) np.linalg.cross(x, y) np.linalg.norm(x)
np.linalg.norm(v) np.linalg.norm(v, 1) np.linalg.norm(v, np.inf) np.linalg.norm(x, axis=1)
np.linalg.norm(x, "nuc") np.linalg.norm(x, 2) np.linalg.norm(x, 1) np.linalg.norm(x, -np.inf, keepdims=True)
np.linalg.norm(i) np.linalg.norm(c) np.linalg.norm(x, "fro", axis=(0, 1)) np.linalg.norm(v, 3)
np.linalg.norm(f) np.linalg.vector_norm(x, axis=0) np.linalg.matrix_norm(x)
np.linalg.matrix_norm(x, ord=2, keepdims=True) np.linalg.det(s) np.linalg.slogdet(s) np.linalg.inv(s)
np.linalg.solve(s, v[:2]) np.linalg.solve(s, x) np.linalg.tensorsolve(s, v[:2])
np.linalg.tensorinv(ARRAYS["s"] + e, ind=1) np.linalg.lstsq(r, v)[0] np.linalg.lstsq(r, v, rcond=1e-9)
np.linalg.cholesky(s) np.linalg.cholesky(s, upper=True) np.linalg.qr(r) np.linalg.qr(r, mode="r")
np.linalg.svd(r) np.linalg.svd(r, full_matrices=False) np.linalg.svd(r, compute_uv=False)
np.linalg.svdvals(x) np.linalg.eigh(s) np.linalg.eigvalsh(s) np.linalg.pinv(r) np.linalg.pinv(r, rcond=0.9)
np.linalg.matrix_rank(r) np.linalg.matrix_rank(v) np.linalg.matrix_rank(s, tol=2.5)
np.linalg.matrix_power(s, 5) np.linalg.matrix_power(s, -2) np.linalg.matrix_power(s, 0)
np.linalg.multi_dot([r, s, x]) np.linalg.cond(s) np.linalg.cond(s, 1) np.linalg.diagonal(s)
np.linalg.trace(s) np.abs(np.linalg.eigvals(s - 4)[:1] * 0) np.polyval(ARRAYS["v"] * e, w)
np.polyadd(ARRAYS["v"] * e, [1, 2]) np.polysub([1.0, 2.0], ARRAYS["v"] * e) np.polymul(v, w)
np.polyder(ARRAYS["w"] * e) np.polyder(ARRAYS["w"] * e, 2) np.polyint(ARRAYS["v"] * e)
np.polyint(ARRAYS["v"] * e, 2, [1, 2]) np.vander(ARRAYS["v"] * e) np.vander(v, 2, increasing=True)
np.polyfit(ARRAYS["w"] * e, w * w, 2) np.polyfit(ARRAYS["w"] * e, w, 1, w=[1, 2, 1, 2])
np.fft.fft(v) np.fft.ifft(c) np.fft.fft(x, 4, 0) np.fft.fft(f, norm="ortho") np.fft.rfft(w) np.fft.irfft(c)
np.fft.irfft(c, 5) np.fft.hfft(c) np.fft.ihfft(w) np.fft.fft2(x) np.fft.ifft2(x, s=(4, 2)) np.fft.fftn(t)
np.fft.ifftn(t, axes=(0, 2)) np.fft.rfft2(x) np.fft.rfftn(t, norm="forward") np.fft.irfft2(x) np.fft.irfftn(t)
np.fft.irfftn(t, s=(3, 4), axes=(1, 2)) np.fft.fftshift(x)
np.apply_along_axis(np.sort, 1, ARRAYS["x"] * e) np.apply_along_axis(np.sum, 0, ARRAYS["t"] * e)
np.apply_along_axis(lambda a: a[:2], 1, ARRAYS["t"] * e) np.apply_along_axis(np.diag, -1, ARRAYS["x"] * e)
np.apply_along_axis(np.add, 0, v, 1) np.apply_over_axes(np.sum, t, (0, 2))
np.apply_over_axes(np.cumsum, t, -1)
np.fft.fftfreq(7, x.sum()) np.fft.rfftfreq(8, x.sum())
np.fft.fftshift(v, 0) np.fft.ifftshift(w) np.fft.ifftshift(v)
np.delete(w, []) np.delete(w, [True, False, False, True]) np.delete(w, [-1, 0]) np.insert(w, -4, 9)
np.insert(w, 4, 9) np.roll(v, (1, 1), axis=0) np.roll(x, (1, 2), axis=0) np.roll(x, (1, 2)) np.take(v, [])
np.digitize(v, w[:0]) np.digitize(v, w[::-1]) np.unwrap(n[1]) np.angle(m) np.sort_complex(i.astype(np.uint8))
np.sort_complex(c.astype(np.complex64)) np.setxor1d(v[:0], v[:0]) np.resize(v[:0], (2, 2))
np.partition(v[:0], 0) np.cov(v[:0])
""".split("\n")

UFUNC_CASES = """
np.add(f, [1.0, 2.0, 3.0]) np.add(i, 1, dtype=float) np.add.reduce(x) np.add.reduce(i, axis=1)
np.add.accumulate(i, axis=1) np.multiply.reduce(x, axis=None) np.maximum.reduce(x, axis=1, keepdims=True)
np.minimum.reduce(x) np.add.reduceat(x, [0, 1], axis=1) np.maximum.reduceat(v, [0, 2, 1])
np.add.accumulate(b) np.logical_or.reduce(b) np.logical_and.reduce(b, axis=1)
np.maximum.accumulate(x, axis=1) np.minimum.accumulate(w) np.multiply.accumulate(v) np.subtract.outer(v, w)
np.divmod(w, 2.0) np.divmod(i, 2) np.modf(n) np.modf(i) np.frexp(v) np.fabs(i) np.fabs(f) np.radians(w)
np.degrees(v) np.cbrt(x) np.exp2(v) np.deg2rad(i) np.rad2deg(v) np.spacing(v) np.float_power(w, 2)
np.fmax(n, x) np.fmin(n, 0.0) np.fmod(x, 2) np.heaviside(z, 0.5) np.logaddexp2(v, v) np.gcd(i, 6)
np.lcm(u, 4) np.ldexp(v, j) np.bitwise_count(i)
np.vecdot(x, y) np.vecdot(x, y, axis=0) np.sqrt(i) np.sin(f) np.arctan2(v, 2)
np.power(i, 2) np.matmul(x, r) np.logaddexp(v, v) np.isnan(n) np.floor_divide(i, 2) np.remainder(x, 2)
np.hypot(3, v) np.sign(x) np.subtract.reduce(ARRAYS["x"] * e) np.logical_xor.reduce(ARRAYS["b"] ^ (e > 1), 1)
np.hypot.reduce(ARRAYS["x"] * e, axis=None, keepdims=True) np.bitwise_or.reduce(ARRAYS["i"] | k, axis=1)
np.logical_xor.reduce(ARRAYS["x"][:1] * e) np.maximum.reduce(x, where=b, initial=-9)
np.multiply.outer(v, w, dtype=np.float32)
""".split("\n")

METHOD_CASES = """
x.T t.T v.T x.all() x.any(axis=1) b.all(0) b.any(1, keepdims=True) x.all(where=b) x.argmax() x.argmax(1)
x.argmin(axis=0, keepdims=True) v.argpartition(1) x.argsort() x.argsort(0) u.argsort(kind="stable")
i.astype(np.float32) x.astype(bool) j.choose([v, v * 2, w[:3]]) x.clip(0, 2) x.clip(max=1) i.clip(2)
x.compress(m, axis=1) x.compress(m) c.conj() x.conjugate() x.copy() x.cumprod() x.cumsum() i.cumsum(1)
i.cumsum(0, np.int8) s.diagonal() t.diagonal(1, 0, 2) s.dot(s) v.dot(v) x.dot(r) x.flat x.flat[2]
x.flat[1:] x.flatten() x.flatten("F") c.imag x.imag x.itemsize
x.max() x.max(0) x.max(initial=9) x.max(0, where=b, initial=-9) x.mean() f.mean(1, np.float64) x.mean(where=b)
x.min(1, keepdims=True) s.mT x.nbytes x.ndim z.nonzero() x.prod() x.prod(initial=2.0) i.prod(0, np.int16)
x.ravel() x.ravel("F") c.real x.real x.repeat(2) x.repeat([1, 2], axis=0) x.reshape(3, 2) x.reshape((3, 2))
x.reshape(-1, order="F") x.reshape(3, 2, order="F") x.reshape(6, copy=True) x.round() x.round(1)
w.searchsorted(2.0) w.searchsorted(v, side="right") x.shape x.size x[None].squeeze(0) x.std() x.std(ddof=1)
x.std(0, None, None, 1, True) f.std(1, np.float64) x.sum() x.sum(0) x.sum(0, np.float32) x.sum(where=b)
x.sum(initial=3) x.sum((0, 1)) x.swapaxes(0, 1) x.take([0, 5]) x.take([0, 2], 1) x.take([7], mode="wrap")
s.trace() s.trace(1) x.transpose() t.transpose(1, 0, 2) t.transpose((2, 0, 1)) x.var() x.var(ddof=1)
x.var(axis=0, where=b) c.var() x.view() x.argpartition(1, axis=0)
e.item() k.item() c.item(1) x.item(1, 2) x.item((0, 1))
""".split("\n")


CORNER_CASES = """
np.max(o, initial=1) np.min(oo, axis=0, initial=-1.5) np.max(oo, axis=(0, 1), where=oo > 0, initial=3)
np.max(b, initial=1) np.max(i, initial=7.5) b.min(initial=3) np.prod(i, initial=2.5) i.sum(initial=2.5)
np.nanmax(o, initial=1) np.maximum.reduce(b, initial=1) np.nanmax(n, initial=9) np.nanmax(i, initial=9)
np.nanmax(n, where=b, initial=0.5, axis=1)
np.clip(a, 0, 2) np.clip(a, -0.0, 1.0) np.clip(d, 0, e) np.clip(h, 0, None) np.clip(b, 0, np.uint8(3))
np.clip(a, v[:1], 1) np.clip(m, 0, f[0]) a.clip(-0.0, 0.0) np.sinc(h) np.unwrap(d) np.unwrap(q)
np.unwrap(l, period=4) np.unwrap(w, period=3, discont=1) np.isclose(g, 0) np.isclose(g, np.uint8(0))
np.isclose(1, q, rtol=0.5) np.allclose(g, 0, atol=9) b**2 m**2 b**3 h**0.5 p**2 c**-1 p**0.5 np.vander(p, 3)
np.vander(p, 3, increasing=True) np.vander(w, 0) np.vander(b[0], 2) np.polymul(ARRAYS["a"][1:2] * e, w)
np.polymul([0.0, 0.0], v) np.dot(a, 2) np.dot(2.5, d) np.inner(d, 3) np.dot(e, d) np.dot(h, h[0])
np.gradient(h, e)
np.gradient(r, edge_order=2, axis=0) np.gradient(w, v[:1].sum() + w, edge_order=2)
np.geomspace(f[0, 0], 2, 3) np.geomspace(q[1:], 2, 3) np.geomspace(v, -2, 3, axis=-1)
np.geomspace(e, 2, 3, endpoint=False) np.average(i, weights=f) np.average(m, weights=f[0])
np.add(q, 3, dtype=np.float32) np.equal(x, 1, dtype=bool) np.less(i, 2.5, dtype=bool)
np.insert(q, 1, 7) np.full_like(q, 9) np.full_like(q, 2.5) np.roll(v, np.array([1.7, 0.6]))
np.ravel_multi_index((l[1:] // 99, l[1:]), (2, 128)) x.astype(int, casting="unsafe")
x.astype(np.float32, "K", "same_kind")
""".split("\n")


def separate(lines):
    """The cases of some lines: expressions, with a blank between each and the next."""
    found = []
    for line in lines:
        depth, start = 0, 0
        for place, letter in enumerate(line + " "):
            depth += letter in "([{"
            depth -= letter in ")]}"
            if letter == " " and depth == 0:
                found += [line[start:place]] if line[start:place] else []
                start = place + 1
    return found


def letters_of(case):
    return [name for name in ARRAYS if re.search(rf"(?<![\w.\"])\b{name}\b(?![\w\"=(])", case)]


def evaluate(case, values):
    return eval(case, {"np": np, "ARRAYS": ARRAYS, **values})


def compile_case(case, letters, known):
    """The case as a graph of its letters, and the structure of what it gives."""
    builder = Builder("f")
    with building(builder):
        symbols = {}
        for name in letters:
            array = ARRAYS[name]
            spec = rt.ArraySpec(array.shape if known else (UNKNOWN,) * array.ndim, rt.as_dtype(array.dtype))
            symbols[name] = Symbol(builder.input(spec))
        leaves, structure = flatten(evaluate(case, symbols))
        tensors = [as_tensor(leaf) for leaf in leaves]
        graph = builder.finish(
            [
                builder.resolve(each.value)
                if isinstance(each, Symbol)
                else builder.constant(np.asarray(each))
                for each in tensors
            ]
        )
    return graph, structure


def assert_same(found, wanted, text):
    """Equal values of one dtype, in equal containers."""
    if isinstance(wanted, list | tuple):
        assert len(found) == len(wanted), text
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other, text)
        return
    one, other = np.asarray(found), np.asarray(wanted)
    assert one.dtype == other.dtype, f"{text}: {one.dtype}, not {other.dtype}"
    assert one.shape == other.shape, f"{text}: {one.shape}, not {other.shape}"
    tolerance = 2e-6 if other.dtype in (np.float32, np.complex64) else 1e-12
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance, err_msg=text)
    for part in ("real", "imag") if other.dtype.kind in "fc" else ():
        left, right = getattr(one, part), getattr(other, part)
        zeros = (left == 0) & (right == 0)
        np.testing.assert_array_equal(np.signbit(left[zeros]), np.signbit(right[zeros]), err_msg=text)


OTHERWISE_TESTED = {
    *("np.result_type", "np.can_cast", "np.common_type", "np.linalg.eig"),
    *("np.empty", "np.asanyarray", "np.ascontiguousarray", "np.asfortranarray"),
}
"""Functions that give no arrays, or that are another's name."""

NEEDS_SHAPES = re.compile(r"cross|tensorsolve|squeeze\(x\[None\]\)|concatenate\(t\b")
"""Cases whose result has another structure for other lengths, or whose argument is iterated over."""


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:numpy.fix is deprecated")
@pytest.mark.parametrize("case", separate(CASES + UFUNC_CASES + METHOD_CASES + CORNER_CASES))
def test_a_function_gives_what_it_gives_on_arrays(case):
    letters = letters_of(case)
    arrays = {name: ARRAYS[name] for name in letters}
    wanted = evaluate(case, arrays)
    assert_same(
        evaluate(case, {name: rt.asarray(array) for name, array in arrays.items()}), wanted, "at once"
    )
    for known in (True,) if NEEDS_SHAPES.search(case) else (True, False):
        graph, structure = compile_case(case, letters, known)
        for executor in ("reference", "numpy"):
            results = choose(executor).compile(Module(graph)).run(list(arrays.values()))
            assert_same(unflatten(structure, results), wanted, f"{executor}, dims known: {known}")


def test_every_function_of_the_table_has_a_case():
    text = " ".join(CASES)
    assert calls
    assert {title(function) for function in TABLE if f"{title(function)}(" not in text} == OTHERWISE_TESTED


# ── the protocols themselves ──


def test_a_variable_counts_as_its_value():
    variable = rt.Variable([1.0, 2.0])
    assert np.sum(variable).numpy() == 3
    assert np.concatenate([variable, [4.0]]).numpy().tolist() == [1, 2, 4]


def test_lists_of_numbers_have_the_dtype_that_numpy_gives_them():
    x = rt.asarray(np.ones(2, np.float32))
    assert np.concatenate([x, [1.0]]).dtype is rt.float64
    assert np.add(x, [1.0, 2.0]).dtype is rt.float64
    assert np.add(x, 1.0).dtype is rt.float32
    assert rt.add(x, [1.0, 2.0]).dtype is rt.float32  # our own functions let them give way


def test_dtypes_are_asked_of_tensors_as_of_arrays():
    x = rt.asarray(np.ones(2, np.float32))
    assert np.result_type(x, np.int8) == np.float32
    assert np.common_type(x, np.ones(2)) is np.float64


def test_eigenvalues_are_complex_always():
    values, vectors = np.linalg.eig(rt.asarray(ARRAYS["s"]))
    assert values.dtype is rt.complex128
    np.testing.assert_allclose(ARRAYS["s"] @ vectors.numpy(), vectors.numpy() * values.numpy())


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: np.cumsum(x, out=x), rt.errors.ImmutableTensor, "takes no `out=`"),
        (lambda x: np.copy(x, order="F"), rt.errors.InvalidValue, "takes no `order=`"),
        (lambda x: np.cov(x, fweights=[1, 2]), rt.errors.InvalidValue, "takes no `fweights=`"),
        (lambda x: np.put(x, 0, 1), rt.errors.ImmutableTensor, "x.at"),
        (lambda x: np.max(x, where=[True, False]), rt.errors.InvalidValue, "`initial=0`"),
        (lambda x: np.split(x, 3), rt.errors.ShapeError, "`np.array_split`"),
        (lambda x: np.pad(x, 1, mode="linear_ramp"), rt.errors.InvalidValue, "'edge'"),
        (lambda x: np.add.at(x, 0, 1), rt.errors.ImmutableTensor, "`np.bincount` for sums"),
    ],
)
def test_what_means_nothing_for_tensors_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(rt.asarray([1.0, 2.0]))


def test_a_function_without_an_adapter_takes_tensors_as_arrays_outside_of_graphs():
    found = np.packbits(rt.asarray([True, False, True]))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [160]
    assert np.array2string(rt.asarray([1, 2])) == "[1 2]"


def test_a_function_without_an_adapter_names_what_is_near():
    builder = Builder("f")
    with building(builder):
        symbol = Symbol(builder.input(rt.ArraySpec((3,), rt.float64)))
        with pytest.raises(rt.errors.NoConcreteValue, match=r"Use `np\.linalg\.eigvals` of the companion"):
            np.roots(symbol)
        with pytest.raises(rt.errors.NoConcreteValue, match="`N` is a tensor of a graph"):
            np.vander(rt.asarray([1.0]), symbol[0])


def test_other_libraries_get_their_turn():
    class Foreign:
        def __array_function__(self, function, types, args, kwargs):
            return "foreign"

    assert np.concatenate([rt.asarray([1.0]), Foreign()]) == "foreign"


def test_what_a_ufunc_does_not_trace_is_named_as_it_was_called():
    builder = Builder("f")
    with building(builder):
        x = Symbol(builder.input(rt.ArraySpec((3,), rt.float64)))
        for call, name in [
            (lambda: np.hypot.accumulate(x), "`np.hypot.accumulate`"),
            (lambda: np.sin(x, order="F"), "`np.sin` with `order=`"),
        ]:
            with pytest.raises(TypeError, match=re.escape(name)):
                call()


def test_parameters_that_numpy_has_not_either_are_refused_as_there():
    x = rt.asarray([1.0])
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        np.sum(x, foo=1)


def test_out_is_refused_by_whatever_name_it_comes():
    x = rt.asarray([1.0, 2.0])
    with pytest.raises(rt.errors.ImmutableTensor):
        np.sin(x, out=x)
    with pytest.raises(rt.errors.ImmutableTensor):
        calls.call_ufunc(np.sin, "__call__", [x], {"out": x})


def test_a_ufunc_of_one_operand_has_nothing_to_reduce():
    with pytest.raises(ValueError, match="binary functions"):
        np.sin.reduce(rt.asarray([1.0]))
