"""Simple kriging of the ridge's residuals: what values near a pair say beyond the ridge.

    near(c, t) = k (K + N)^-1 r,    variance = height - k (K + N)^-1 k
    k = height x s(c, c')^power x (unrelated + (1 - unrelated) x cosine(t, t'))

s: Tanimoto similarity of the compounds, cosine: similarity of the targets' 4-mer sets, so that a value on a related target
counts for less, and one on any other for least. k: to the `neighbours` exact values of largest covariance, K the same among
them, N the noise of each value, r their residuals. Candidates are all values on the target, and on other targets those of the
compounds that the product's search finds (`Neighbours`). The product solves the same system for every pair (`near.ts`).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .model import Doubles, tanimoto_of_packed
from .tables import Compounds, Floats, Ints, Neighbours, Rows, ranges

BATCH = 256


@dataclass
class NearSettings:
    """height: prior variance, noise: variance of one value, both in pK^2."""

    height: float = 0.8
    noise: float = 0.2
    power: float = 1.5
    neighbours: int = 32
    unrelated: float = 0.2
    # Values on other targets: of at most so many compounds, of at least this similarity.
    compounds: int = 20
    similar_from: float = 0.6


@dataclass
class Measured:
    """Exact values and their residuals, by target, then by compound; `of_compound`: their places by compound."""

    compound: Ints
    target: Ints
    residual: Floats
    target_starts: Ints
    of_compound: Ints
    compound_starts: Ints
    # By compound: it was measured, if only as a bound.
    is_measured: npt.NDArray[np.bool_]

    def on(self, target: int) -> Ints:
        """Places of the values on a target."""
        return np.arange(self.target_starts[target], self.target_starts[target + 1])


def measured_of(rows: Rows, residual: Floats, targets: int, compounds: int) -> Measured:
    """Of the rows that are no bounds."""
    order = np.lexsort((rows.compound, rows.target))
    order = order[~rows.is_bound[order]]
    compound, target = rows.compound[order], rows.target[order]
    of_compound = np.argsort(compound, kind="stable")
    return Measured(
        compound,
        target,
        residual[order],
        np.searchsorted(target, np.arange(targets + 1)),
        of_compound,
        np.searchsorted(compound[of_compound], np.arange(compounds + 1)),
        np.bincount(rows.compound, minlength=compounds) > 0,
    )


def krige(
    compounds: Compounds, related: Floats, measured: Measured, place: int, some: Ints, settings: NearSettings
) -> tuple[Doubles, Doubles, Doubles]:
    """Mean and variance of `near`, and similarity to the closest measured on the target, for compounds on it.

    related: cosine similarities, targets x targets.
    """
    mean, variance, closest = np.empty(len(some)), np.empty(len(some)), np.empty(len(some))
    for start in range(0, len(some), BATCH):
        of = slice(start, start + BATCH)
        mean[of], variance[of], closest[of] = _krige(compounds, related, measured, place, some[of], settings)
    return mean, variance, closest


def _krige(
    compounds: Compounds, related: Floats, measured: Measured, place: int, some: Ints, settings: NearSettings
) -> tuple[Doubles, Doubles, Doubles]:
    prints = compounds.prints
    own = measured.on(place)
    similar = tanimoto_of_packed(prints[some], prints[measured.compound[own]])
    m = min(settings.neighbours, len(own))
    # Of equally similar compounds the first count, as in the product.
    nearest = np.argsort(-similar, axis=1, kind="stable")[:, :m]
    query = np.repeat(np.arange(len(some)), m)
    value = own[nearest.ravel()]
    likeness = np.take_along_axis(similar, nearest, 1).ravel()
    other_query, other_value, other_likeness = _elsewhere(
        compounds.neighbours, measured, place, some, settings
    )
    query, value = np.r_[query, other_query], np.r_[value, other_value]
    likeness = np.r_[likeness, other_likeness]
    k = covariance(likeness, related[place, measured.target[value]], settings)
    order = np.lexsort((-k, query))
    rank = np.arange(len(order)) - np.searchsorted(query[order], query[order])
    order = order[rank < settings.neighbours]
    rank = rank[rank < settings.neighbours]
    chosen = np.full((len(some), settings.neighbours), -1)
    chosen[query[order], rank] = value[order]
    right = np.zeros(chosen.shape)
    right[query[order], rank] = k[order]
    is_empty = chosen < 0
    bits = prints[measured.compound[chosen]]
    target = measured.target[chosen]
    system = covariance(
        tanimoto_of_packed(bits, bits), related[target[:, :, None], target[:, None, :]], settings
    )
    system[is_empty[:, :, None] | is_empty[:, None, :]] = 0
    at = np.arange(settings.neighbours)
    system[:, at, at] = settings.height + settings.noise
    residual = np.where(is_empty, 0, measured.residual[chosen])
    solved = np.linalg.solve(system, np.stack([residual, right], 2))
    mean, explained = np.einsum("qi,qij->jq", right, solved)
    return mean, settings.height - explained, similar.max(1, initial=0)


def _elsewhere(
    neighbours: Neighbours, measured: Measured, place: int, some: Ints, settings: NearSettings
) -> tuple[Ints, Ints, Floats]:
    """Values on other targets: index of the query, place of the value, and similarity of the compounds."""
    counts = np.diff(measured.compound_starts)
    query, compound, likeness = neighbours.of(
        some, measured.is_measured, settings.compounds, settings.similar_from
    )
    times = counts[compound]
    value = measured.of_compound[ranges(measured.compound_starts[compound], times)]
    query, likeness = np.repeat(query, times), np.repeat(likeness, times)
    elsewhere = measured.target[value] != place
    return query[elsewhere], value[elsewhere], likeness[elsewhere]


def covariance(similarity: npt.NDArray, cosine: npt.NDArray, settings: NearSettings) -> Doubles:
    """Prior covariance of what the ridge misses of two pairs, in pK^2."""
    relation = settings.unrelated + (1 - settings.unrelated) * cosine.astype(float)
    return settings.height * similarity.astype(float) ** settings.power * relation
