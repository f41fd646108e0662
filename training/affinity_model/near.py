"""Simple kriging of the ridge's residuals: what compounds like this one, measured on the target, say beyond the ridge.

    near(c) = k (K + N)^-1 r,    variance = height - k (K + N)^-1 k

k: height x similarity^power to the `neighbours` closest measured compounds, K the same among them, N the noise of each
value, r their residuals. The product solves the same system for every pair (`near.ts`).
"""

import itertools
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .model import Doubles, tanimoto
from .tables import Floats, Ints, Rows


@dataclass
class NearSettings:
    """height: prior variance, noise: variance of one value, both in pK^2."""

    height: float = 0.8
    noise: float = 0.2
    power: float = 1.5
    neighbours: int = 32


@dataclass
class Measured:
    """Exact values on one target, one per row; a compound may have several."""

    compound: Ints
    residual: Floats


def measured_by_target(rows: Rows, residual: Floats, count: int) -> list[Measured]:
    """Exact values of each target, in order of compounds."""
    order = np.lexsort((rows.compound, rows.target))
    order = order[~rows.is_bound[order]]
    starts = np.searchsorted(rows.target[order], np.arange(count + 1))
    return [Measured(rows.compound[order[a:b]], residual[order[a:b]]) for a, b in itertools.pairwise(starts)]


def krige(
    prints: list[sp.csr_matrix], measured: Measured, some: Ints, settings: NearSettings
) -> tuple[Doubles, Doubles, Doubles]:
    """Mean and variance of `near`, and similarity to the closest, for compounds on the target."""
    if len(measured.compound) == 0:
        return np.zeros(len(some)), np.full(len(some), settings.height), np.zeros(len(some))
    similar = _mean_tanimoto(prints, some, measured.compound)
    m = min(settings.neighbours, len(measured.compound))
    # Of equally similar compounds the first count, as in the product.
    nearest = np.argsort(-similar, axis=1, kind="stable")[:, :m]
    union, places = np.unique(nearest, return_inverse=True)
    places = places.reshape(nearest.shape)
    among = (
        settings.height
        * _mean_tanimoto(prints, measured.compound[union], measured.compound[union]).astype(float)
        ** settings.power
    )
    mean, variance = np.empty(len(some)), np.empty(len(some))
    for at in range(len(some)):
        of = nearest[at]
        k = settings.height * similar[at, of].astype(float) ** settings.power
        system = among[np.ix_(places[at], places[at])] + settings.noise * np.eye(m)
        solved = np.linalg.solve(system, np.c_[measured.residual[of], k])
        mean[at] = k @ solved[:, 0]
        variance[at] = settings.height - k @ solved[:, 1]
    return mean, variance, similar.max(1)


def _mean_tanimoto(prints: list[sp.csr_matrix], one: Ints, other: Ints) -> Floats:
    total = sum(tanimoto(block[one], block[other]) for block in prints)
    return np.asarray(total / len(prints), np.float32)
