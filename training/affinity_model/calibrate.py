"""Calibrates interval widths, and predicts rows with gating and intervals that were fitted without them."""

from collections.abc import Sequence

import numpy as np

from .correction import correct, cross_corrected, fit_correction
from .data import even_half
from .gating import COLD_REGIMES, Rows, blend, fit_gating, take, weights_of

LEVEL = 0.95
COMPOUND_EDGES = [0.55]
# At the last value a chain of 100 residues with one mutation still counts: a mutation changes 4 of 97 k-mers.
TARGET_EDGES = [0.1, 0.35, 0.95]
BIN_ROWS_MIN = 200


def fit_half_widths(rows: Rows, predicted: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Split-conformal: the quantile of absolute errors at the level, per target bin and compound bin.

    Less similarity never gives a narrower interval; in thin bins it could by chance.
    """
    error, weight = np.abs(rows["y"] - predicted), weights_of(rows)
    t, c = bins(rows)
    widths = np.full((len(TARGET_EDGES) + 1, len(COMPOUND_EDGES) + 1), _quantile(error, weight, level))
    for i in range(widths.shape[0]):
        if (t == i).sum() >= BIN_ROWS_MIN:
            widths[i] = _quantile(error[t == i], weight[t == i], level)
        for j in range(widths.shape[1]):
            inside = (t == i) & (c == j)
            if inside.sum() >= BIN_ROWS_MIN:
                widths[i, j] = _quantile(error[inside], weight[inside], level)
    for axis in (0, 1):
        widths = np.flip(np.maximum.accumulate(np.flip(widths, axis), axis), axis)
    return widths


def half_widths_of(rows: Rows, widths: np.ndarray) -> np.ndarray:
    """rows, in pK; widths: target bins x compound bins."""
    return widths[bins(rows)]


def bins(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Bin of target similarity and bin of compound similarity, per row."""
    return (
        np.digitize(rows["target_similarity"], TARGET_EDGES),
        np.digitize(rows["compound_similarity"], COMPOUND_EDGES),
    )


def cross_fitted(
    rows: Rows, levels: Sequence[float] = (LEVEL,), also: Sequence[Rows] = (), is_corrected: bool = True
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Predictions and half-widths at each level (levels x rows), from a gating, a correction and a calibration fitted
    without the row's kind.

    Rows of new targets are left out by target fold; the others by half of the targets or compounds. also: the same
    rows with other inputs (cut targets); their predictions are appended.
    """
    count, shown = len(rows["y"]), [rows, *also]
    answers = [(np.zeros(count), np.zeros((len(levels), count))) for _ in shown]
    is_cold = np.isin(rows["regime"], COLD_REGIMES)
    is_relative = rows["regime"] == "relative"
    plans = [
        (rows["target_fold"] != fold, is_cold & (rows["target_fold"] == fold))
        for fold in np.unique(rows["target_fold"][is_cold])
    ]
    for asked, half in (
        (is_relative, even_half(rows["target"])),
        (~is_cold & ~is_relative, even_half(rows["compound"])),
    ):
        plans += [(half != side, asked & (half == side)) for side in (0, 1)]
    for learnt_from, applied_to in plans:
        if applied_to.any():
            known = take(rows, learnt_from)
            gating = fit_gating(known)
            fitted = blend(known, gating)
            correction = fit_correction(known, fitted) if is_corrected else None
            # Widths are calibrated on the errors of rows that the correction was not fitted on.
            out_of_fold = cross_corrected(known, fitted) if is_corrected else fitted
            tables = [fit_half_widths(known, out_of_fold, level) for level in levels]
            for (predicted, widths), given in zip(answers, shown):
                asked = take(given, applied_to)
                said = blend(asked, gating)
                predicted[applied_to] = correct(asked, said, correction) if correction else said
                widths[:, applied_to] = [half_widths_of(asked, table) for table in tables]
    return answers


def _quantile(error: np.ndarray, weight: np.ndarray, level: float) -> float:
    """Weighted quantile with one more row at infinity, as conformal prediction requires."""
    order = np.argsort(error)
    share = np.cumsum(weight[order]) / (weight.sum() + weight.mean())
    return float(error[order][min(int(np.searchsorted(share, level)), len(error) - 1)])
