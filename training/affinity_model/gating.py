"""Gating: the weight of each part of the model, by similarity to the closest training target and compound. A table
learnt from out-of-fold rows.

Rows are dictionaries of equally long arrays, as `evaluate` writes them.
"""

import functools
import itertools
import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from .model import COMPOUND_KNOTS, NUMBERS, PKD_CENTRE, TARGET_KNOTS, knot_weights

# A node departs from its neighbours only with this many rows of evidence.
PRIOR_ROWS = 300.0
# Nodes for targets without similar training targets start from equal shares of the parts that need no relative, and
# stay close to them: errors of one family are correlated, so many rows of few families say little about the next.
COLD_BELOW = 0.35
COLD_SHARES = {"ligand": 1 / 3, "boosted": 1 / 3, "boosted_pair": 1 / 3, "full": 0.0}
COLD_SHARE_ROWS = 300_000.0
COLD_REGIMES = ("target", "both")
# Weight of a regime is capped at this many rows.
ROWS_PER_REGIME = 30_000.0

Rows = dict[str, np.ndarray]

# Number of rows needed to move the shift of unknown families, at each of COMPOUND_KNOTS. Panels inform about their own
# compounds more than about others.
ShiftRows = tuple[float, ...]
SHIFT_ROWS: tuple[ShiftRows, ...] = tuple(
    itertools.product((1_000.0, 10_000.0, 100_000.0), repeat=len(COMPOUND_KNOTS))
)


@dataclass
class Moments:
    """Sufficient statistics for least squares; those of two sets of rows can be added."""

    gram: np.ndarray  # size x size
    right: np.ndarray  # size
    square: float
    weight: float

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def __sub__(self, other: "Moments") -> "Moments":
        return Moments(*(getattr(self, name) - getattr(other, name) for name in self.__dataclass_fields__))

    def mean_square(self, solution: np.ndarray) -> float:
        """Mean squared error of design @ solution."""
        return (self.square - 2 * solution @ self.right + solution @ self.gram @ solution) / self.weight


def fit_gating(rows: Rows) -> np.ndarray:
    """The table used by `Affinity.pair`: a shift and the weight of each of NUMBERS at each node of target similarity x
    compound similarity.

    Weighted least squares, shrunk towards one table for all nodes, and that towards equal shares; nodes of unknown
    targets towards COLD_SHARES. The strength for their shift was chosen on left-out target folds.
    """
    learnt, asked = moments_of_folds(rows)
    table = solve(total_of(learnt), choose_shift_rows(learnt, asked))
    return table.reshape(len(TARGET_KNOTS), len(COMPOUND_KNOTS), -1)


def choose_shift_rows(learnt: list[Moments], asked: list[list[Moments]]) -> ShiftRows:
    """The candidate with the smallest error on left-out target folds.

    learnt: all rows of each fold; asked: its rows of each of COLD_REGIMES. Folds have equal weight, whatever their
    size.
    """
    total = total_of(learnt)

    def error(candidate: ShiftRows) -> float:
        tables = [solve(total - fold, candidate) for fold in learnt]
        errors = [of.mean_square(table) for table, folds in zip(tables, asked) for of in folds]
        return float(np.mean(errors)) if errors else 0.0

    return min(SHIFT_ROWS, key=error)


def blend(rows: Rows, table: np.ndarray) -> np.ndarray:
    """table: from `fit_gating`; returns pKd per row."""
    weights = _hats(rows) @ table.reshape(-1, 1 + len(NUMBERS))
    return PKD_CENTRE + (weights * _parts(rows)).sum(1)


def take(rows: Rows, chosen: np.ndarray) -> Rows:
    """Selects rows, by number or by mask."""
    return {name: values[chosen] for name, values in rows.items()}


def weights_of(rows: Rows) -> np.ndarray:
    """Weight per row, 0 to 1: lower in regimes with many rows."""
    names, regime = np.unique(rows["regime"], return_inverse=True)
    counts = np.bincount(regime, minlength=len(names))
    return np.minimum(1.0, ROWS_PER_REGIME / counts)[regime]


def moments_of_folds(rows: Rows) -> tuple[list[Moments], list[list[Moments]]]:
    """Per target fold: all rows, weighted, and the rows of each of COLD_REGIMES."""
    design, weight = _design(rows), weights_of(rows)
    wanted = rows["y"].astype(np.float64) - PKD_CENTRE
    learnt, asked = [], []
    for fold in np.unique(rows["target_fold"]):
        of_fold = rows["target_fold"] == fold
        learnt.append(_moments(design[of_fold], wanted[of_fold], weight[of_fold]))
        cold = [of_fold & (rows["regime"] == regime) for regime in COLD_REGIMES]
        asked.append([_moments(design[of], wanted[of], np.ones(of.sum())) for of in cold if of.any()])
    return learnt, asked


def total_of(moments: Sequence[Moments]) -> Moments:
    """The sum; TypeError if empty."""
    return functools.reduce(operator.add, moments)


def solve(moments: Moments, shift_rows: ShiftRows) -> np.ndarray:
    """The table of `fit_gating`, flattened."""
    nodes, columns = len(TARGET_KNOTS) * len(COMPOUND_KNOTS), 1 + len(NUMBERS)
    equal = np.array([0.0, *[1 / len(NUMBERS)] * len(NUMBERS)])
    # A row's node shares sum to 1, so the moments of all nodes as one are the sum of theirs.
    as_one = Moments(
        moments.gram.reshape(nodes, columns, nodes, columns).sum((0, 2)),
        moments.right.reshape(nodes, columns).sum(0),
        moments.square,
        moments.weight,
    )
    common = _ridge(as_one, equal, np.full(columns, PRIOR_ROWS))
    prior = np.tile(common, (len(TARGET_KNOTS), len(COMPOUND_KNOTS), 1))
    strength = np.full(prior.shape, PRIOR_ROWS)
    is_cold = np.array(TARGET_KNOTS) < COLD_BELOW
    prior[is_cold] = [0.0, *[COLD_SHARES[name] for name in NUMBERS]]
    strength[is_cold, :, 0], strength[is_cold, :, 1:] = shift_rows, COLD_SHARE_ROWS
    return _ridge(moments, prior.ravel(), strength.ravel())


def _ridge(moments: Moments, prior: np.ndarray, strength: np.ndarray) -> np.ndarray:
    return prior + np.linalg.solve(moments.gram + np.diag(strength), moments.right - moments.gram @ prior)


def _moments(design: np.ndarray, wanted: np.ndarray, weight: np.ndarray) -> Moments:
    weighted = design * weight[:, None]
    return Moments(weighted.T @ design, weighted.T @ wanted, float(weight @ wanted**2), float(weight.sum()))


def _design(rows: Rows) -> np.ndarray:
    """rows x (nodes x (1 + NUMBERS)), flattened."""
    return (_hats(rows)[:, :, None] * _parts(rows)[:, None]).reshape(len(rows["y"]), -1)


def _parts(rows: Rows) -> np.ndarray:
    ones = np.ones(len(rows["y"]))
    return np.stack([ones, *[rows[name] - PKD_CENTRE for name in NUMBERS]], 1).astype(np.float64)


def _hats(rows: Rows) -> np.ndarray:
    """rows x nodes: bilinear weights of the nodes around the two similarities of a row."""
    target, compound = (
        knot_weights(
            torch.from_numpy(np.asarray(rows[f"{name}_similarity"], np.float32)), torch.tensor(knots)
        ).numpy()
        for name, knots in (("target", TARGET_KNOTS), ("compound", COMPOUND_KNOTS))
    )
    return (target[:, :, None] * compound[:, None]).reshape(len(target), -1).astype(np.float64)
