"""Measured values of the closest compounds on one training target: the one most similar to a pair's protein.

A row of `describe` contains, in this order: the labels of the NEAREST compounds, their similarities, the labels'
mean and spread weighted by similarity, and the mean and the number of all labels of that target. Missing compounds
are filled with the mean of all, at similarity 0. The product computes the same (`measured-compounds.ts`).
"""

from dataclasses import dataclass

import numpy as np

from .data import consecutive

NEAREST = 5
SHARPNESS = 15.0
# An upper bound counts as this much lower: roughly the median measured value behind such labels.
BELOW_BY = 0.7
# The columns of a row of `describe`.
LABELS, SIMILARITIES, MEAN, SPREAD, TARGET_MEAN, TARGET_COUNT = consecutive([NEAREST, NEAREST, 1, 1, 1, 1])
COLUMNS = TARGET_COUNT.stop
# A label on disk: its fingerprint's row, whether it is an upper bound, and the label in steps.
STEPS, STEP = 2048, 0.01


@dataclass
class Measured:
    """All labels, sorted by target, for looking up similar compounds."""

    fingerprints: np.ndarray  # rows x folded bits, true or false
    starts: np.ndarray  # targets + 1: start of each target's labels
    compound: np.ndarray  # row of fingerprints of each label
    y: np.ndarray  # upper bounds lowered by BELOW_BY
    is_below: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """Labels of each target."""
        return np.diff(self.starts)


def gather(
    fingerprints: np.ndarray,
    compound: np.ndarray,
    target: np.ndarray,
    y: np.ndarray,
    is_below: np.ndarray,
    targets: int,
) -> Measured:
    """compound, target, y, is_below: one each per measured pair; targets: their number."""
    y = y - BELOW_BY * is_below
    order = np.lexsort((y, compound, target))
    starts = np.searchsorted(target[order], np.arange(targets + 1))
    return Measured(fingerprints, starts, compound[order], y[order].astype(np.float64), is_below[order])


def pack(measured: Measured) -> np.ndarray:
    """One number per label, in order."""
    steps = np.round(measured.y / STEP).astype(np.uint32)
    row_and_bound = measured.compound.astype(np.uint32) * 2 + measured.is_below
    return row_and_bound * STEPS + steps


def unpack(fingerprints: np.ndarray, counts: np.ndarray, packed: np.ndarray) -> Measured:
    """counts: labels of each target."""
    starts = np.r_[0, np.cumsum(counts)]
    row_and_bound = packed // STEPS
    return Measured(fingerprints, starts, row_and_bound // 2, packed % STEPS * STEP, row_and_bound % 2 == 1)


def describe(measured: Measured, queries: np.ndarray, query: np.ndarray, target: np.ndarray) -> np.ndarray:
    """queries: fingerprints; query, target: which query is paired with which target of `measured`. Returns pairs x
    COLUMNS."""
    answer = np.zeros((len(query), COLUMNS), np.float32)
    order = np.argsort(target, kind="stable")
    ends = np.searchsorted(target[order], np.arange(len(measured.starts)))
    for at in np.unique(target):
        pairs = order[ends[at] : ends[at + 1]]
        labels = slice(measured.starts[at], measured.starts[at + 1])
        known = measured.fingerprints[measured.compound[labels]]
        similarity = tanimoto(queries[query[pairs]], known)
        answer[pairs] = _summarise(similarity, measured.y[labels])
    return answer


def nearest_known(similarities: np.ndarray, known: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """similarities: targets x targets; known: the training targets; counts: labels of each. Returns the most similar of
    `known` per target; ties go to the one with most labels."""
    order = known[np.argsort(-counts, kind="stable")]
    return order[similarities[:, order].argmax(1)]


def tanimoto(queries: np.ndarray, known: np.ndarray) -> np.ndarray:
    """queries x known, in double precision, to distinguish equal from nearly equal similarities."""
    shared = (queries.astype(np.float32) @ known.T.astype(np.float32)).astype(np.float64)
    either = queries.sum(1)[:, None] + known.sum(1)[None] - shared
    return shared / np.maximum(either, 1)


def weighted_mean_and_spread(
    labels: np.ndarray, similar: np.ndarray, sharpness: float
) -> tuple[np.ndarray, np.ndarray]:
    """labels, similar: rows x nearest, closest first; weight decreases with similarity."""
    weight = np.exp(sharpness * (similar - similar[:, :1]))
    weight /= weight.sum(1, keepdims=True)
    mean = (weight * labels).sum(1)
    return mean, np.sqrt((weight * (labels - mean[:, None]) ** 2).sum(1))


def _summarise(similarity: np.ndarray, y: np.ndarray) -> np.ndarray:
    """similarity: queries x labels of one target; queries x COLUMNS."""
    taken, mean = min(NEAREST, len(y)), y.mean()
    near = np.argsort(-similarity, axis=1, kind="stable")[:, :taken]
    labels = np.full((len(similarity), NEAREST), mean)
    similar = np.zeros((len(similarity), NEAREST))
    labels[:, :taken] = y[near]
    similar[:, :taken] = np.take_along_axis(similarity, near, 1)
    weighted, spread = weighted_mean_and_spread(labels, similar, SHARPNESS)
    whole = np.broadcast_to([mean, len(y)], (len(similarity), 2))
    return np.concatenate([labels, similar, weighted[:, None], spread[:, None], whole], 1)
