"""Gating: how much each part of the model counts, by how near the nearest training target and compound
are. A table, learnt from out-of-fold rows.

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

# A node of the table moves from its neighbours only where this many rows pull at it.
PRIOR_ROWS = 300.0
# Nodes whose targets resemble no training target start from equal shares of what needs no known relative, and
# stay near: rows of one family err together, so that many rows of a few families say little about the next.
COLD_BELOW = 0.35
COLD_SHARES = {"ligand": 1 / 3, "boosted": 1 / 3, "boosted_pair": 1 / 3, "full": 0.0}
COLD_SHARE_ROWS = 300_000.0
COLD_REGIMES = ("target", "both")
# A regime with more rows than this counts as if it had this many.
ROWS_PER_REGIME = 30_000.0

Rows = dict[str, np.ndarray]

# How many rows it takes to move the shift of unknown families, at each of COMPOUND_KNOTS. What panels teach
# of compounds that they hold is another thing than what they teach of others.
ShiftRows = tuple[float, ...]
SHIFT_ROWS: tuple[ShiftRows, ...] = tuple(
    itertools.product((1_000.0, 10_000.0, 100_000.0), repeat=len(COMPOUND_KNOTS))
)


@dataclass
class Moments:
    """All that least squares needs to know of some rows; those of two sets of rows can be added."""

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
    """The table that `Affinity.pair` blends by: at each node of target similarity x compound similarity
    a shift, and the weight of each of NUMBERS.

    Weighted least squares, drawn towards one table for every node, that one towards equal shares; nodes
    of unknown targets towards COLD_SHARES, their shift as firmly as served best on folds of targets that
    were left out.
    """
    learnt, asked = moments_of_folds(rows)
    table = solve(total_of(learnt), choose_shift_rows(learnt, asked))
    return table.reshape(len(TARGET_KNOTS), len(COMPOUND_KNOTS), -1)


def choose_shift_rows(learnt: list[Moments], asked: list[list[Moments]]) -> ShiftRows:
    """The candidate with the smallest error on folds of targets that it was not fitted on.

    learnt: all rows of each fold; asked: its rows of each of COLD_REGIMES. Every fold counts the same,
    however many rows it has.
    """
    total = total_of(learnt)

    def error(candidate: ShiftRows) -> float:
        tables = [solve(total - fold, candidate) for fold in learnt]
        errors = [of.mean_square(table) for table, folds in zip(tables, asked) for of in folds]
        return float(np.mean(errors)) if errors else 0.0

    return min(SHIFT_ROWS, key=error)


def blend(rows: Rows, table: np.ndarray) -> np.ndarray:
    """table: as `fit_gating` answers; answers a number in pKd for each row."""
    weights = _hats(rows) @ table.reshape(-1, 1 + len(NUMBERS))
    return PKD_CENTRE + (weights * _parts(rows)).sum(1)


def take(rows: Rows, chosen: np.ndarray) -> Rows:
    """Some rows, by number or by mask."""
    return {name: values[chosen] for name, values in rows.items()}


def weights_of(rows: Rows) -> np.ndarray:
    """rows, 0 to 1: less for rows of regimes that have many."""
    names, regime = np.unique(rows["regime"], return_inverse=True)
    counts = np.bincount(regime, minlength=len(names))
    return np.minimum(1.0, ROWS_PER_REGIME / counts)[regime]


def moments_of_folds(rows: Rows) -> tuple[list[Moments], list[list[Moments]]]:
    """Of each target fold all rows, weighted, and its rows of each of COLD_REGIMES."""
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
    """The sum; TypeError where there are none."""
    return functools.reduce(operator.add, moments)


def solve(moments: Moments, shift_rows: ShiftRows) -> np.ndarray:
    """The table of `fit_gating`, flattened."""
    nodes, columns = len(TARGET_KNOTS) * len(COMPOUND_KNOTS), 1 + len(NUMBERS)
    equal = np.array([0.0, *[1 / len(NUMBERS)] * len(NUMBERS)])
    # The nodes' shares of a row sum to 1: all nodes as one are their moments summed.
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
    """rows x nodes: shares of the nodes around each row's two similarities."""
    target, compound = (
        knot_weights(
            torch.from_numpy(np.asarray(rows[f"{name}_similarity"], np.float32)), torch.tensor(knots)
        ).numpy()
        for name, knots in (("target", TARGET_KNOTS), ("compound", COMPOUND_KNOTS))
    )
    return (target[:, :, None] * compound[:, None]).reshape(len(target), -1).astype(np.float64)
