"""Scores the shipped system on rows that neither its parts nor its gating were fitted on."""

from dataclasses import dataclass

import numpy as np

from .calibrate import cross_fitted
from .evaluate import FOLDS, REGIMES
from .gating import Rows, take
from .metrics import concordance, coverage, pearson, rmse
from .model import NUMBERS

MODELS = ("mean", "additive", *NUMBERS)
FIXED_HALF_WIDTH = 1.5


@dataclass
class OutOfFold:
    """Predictions of the shipped system per row, with gating and calibration fitted without its kind."""

    predicted: np.ndarray
    widths: np.ndarray  # at LEVEL
    uncorrected: np.ndarray  # the blend alone
    ligand: np.ndarray  # the fair baseline: the same calibration, without the protein
    cut: np.ndarray  # predictions with each target shown as a cut
    cut_widths: np.ndarray  # at LEVEL


def predict_out_of_fold(rows: Rows) -> OutOfFold:
    """rows: all regimes and folds; refits gating, correction and widths for each kind left out."""
    blind = dict(rows, full=rows["ligand"], boosted_pair=rows["boosted"])
    cut = dict(rows, full=rows["full_cut"], boosted_pair=rows["boosted_pair_cut"])
    (predicted, [widths]), (of_cut, [cut_widths]) = cross_fitted(rows, also=[cut])
    [(uncorrected, _)] = cross_fitted(rows, is_corrected=False)
    [(ligand, _)] = cross_fitted(blind, is_corrected=False)
    return OutOfFold(predicted, widths, uncorrected, ligand, of_cut, cut_widths)


def score_table(rows: Rows, out_of_fold: OutOfFold) -> dict:
    """Per regime, on the folds of REGIMES: scores of each model, coverage of the calibrated and of the fixed intervals."""
    table = {}
    for regime, folds in REGIMES.items():
        chosen = np.flatnonzero((rows["regime"] == regime) & np.isin(rows["fold"], folds))
        part, predicted = take(rows, chosen), out_of_fold.predicted[chosen]
        width = out_of_fold.widths[chosen]
        table[regime] = {
            "rows": len(chosen),
            "models": {name: _scores(part, part[name]) for name in MODELS}
            | {
                "ligandCalibrated": _scores(part, out_of_fold.ligand[chosen]),
                "uncorrected": _scores(part, out_of_fold.uncorrected[chosen]),
                "shipped": _scores(part, predicted),
                "shippedOfCuts": _scores(part, out_of_fold.cut[chosen]),
            },
            "coverage": round(coverage(part["y"], predicted, width), 3),
            "coverageOfCuts": round(
                coverage(part["y"], out_of_fold.cut[chosen], out_of_fold.cut_widths[chosen]), 3
            ),
            "meanHalfWidth": round(float(width.mean()), 2),
            "coverageOfFixedInterval": round(coverage(part["y"], predicted, FIXED_HALF_WIDTH), 3),
        }
    return table


def fold_table(rows: Rows, out_of_fold: OutOfFold) -> list[dict]:
    """Scores of each fold."""
    table = []
    for regime, folds in FOLDS.items():
        for fold in folds:
            chosen = (rows["regime"] == regime) & (rows["fold"] == fold)
            y, predicted = rows["y"][chosen], out_of_fold.predicted[chosen]
            table.append(
                {
                    "regime": regime,
                    "fold": fold,
                    "rows": int(chosen.sum()),
                    "additive": round(rmse(y, rows["additive"][chosen]), 3),
                    "ligandCalibrated": round(rmse(y, out_of_fold.ligand[chosen]), 3),
                    "shipped": round(rmse(y, predicted), 3),
                    "coverage": round(coverage(y, predicted, out_of_fold.widths[chosen]), 3),
                }
            )
    return table


def _scores(rows: Rows, predicted: np.ndarray) -> dict[str, float]:
    reference = rows["is_reference"]
    return {
        "rmse": round(rmse(rows["y"], predicted), 3),
        "r": round(pearson(rows["y"], predicted), 3),
        "concordance": round(concordance(rows["y"], predicted), 3),
        "rmseOfReferenceKd": round(rmse(rows["y"][reference], predicted[reference]), 3),
    }
