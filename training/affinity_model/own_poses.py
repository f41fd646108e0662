"""Scores own values on top of the structure-adjusted number, next to own values on top of the plain one.

python3 -m affinity_model own-poses --rows .cache/training/series-scores.tsv --poses .cache/training/pose-scores.tsv
    [--model models/current]

The rows come from `npm run score-series`, the features from `npm run score-poses`. The linear stage and the weights of
pose and similarity are fitted on series of other genes; shares of own values are those of the model folder. Only compounds
with a pose are drawn and scored, for both. Intervals are from resampled series. The product starts from the plain number.
"""

import json
from collections.abc import Sequence

import numpy as np

from .data import read_tsv
from .final_stage import take
from .folders import options
from .metrics import interval, resampled, rmse
from .outside import Rows, gene_folds, load_rows, members_of
from .own_values import (
    COUNTS,
    DRAWS,
    Drawn,
    Shares,
    descriptor_scales,
    draw,
    gather,
    out_of_fold,
    ranks_of,
)

FEATURES = "mean", "similarity"


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "rows", "poses").parse_args(words)
    rows = out_of_fold(load_rows(asked.rows), asked.model)
    scales = descriptor_scales(rows)
    rows, features = with_poses(rows, read_tsv(asked.poses))
    shares = Shares(**json.loads((asked.model / "own-values.json").read_text())["shares"])
    plain, adjusted = (
        gather(rows | {"predicted": of}, scales)
        for of in (rows["predicted"], rows["predicted"] + adjustment(rows, features))
    )
    print("| own values | series | RMSE, plain | adjusted | gain in tau | tau, plain | adjusted |")
    print("|---|---|---|---|---|---|---|")
    for count in COUNTS:
        pairs = [[drawn for one in of for drawn in draw(one, count, shares)] for of in (plain, adjusted)]
        print(line(count, *pairs))


def with_poses(rows: Rows, poses: list[dict[str, str]]) -> tuple[Rows, np.ndarray]:
    """The rows that have a pose, and their features."""
    known = {(row["system"], row["name"]): [float(row[name]) for name in FEATURES] for row in poses}
    keys = list(zip(map(str, rows["system"]), map(str, rows["name"])))
    has = np.array([key in known for key in keys])
    return take(rows, has), np.array([known[key] for key in keys if key in known])


def adjustment(rows: Rows, features: np.ndarray) -> np.ndarray:
    """What the structure adds to each prediction: features and errors are centred on the series."""
    errors = rows["pk"] - rows["predicted"]
    centred, missed = features.copy(), errors.copy()
    for of in members_of(rows["system"]):
        centred[of] -= features[of].mean(0)
        missed[of] -= errors[of].mean()
    fold, moved = gene_folds(rows["gene"]), np.zeros(len(errors))
    for held in np.unique(fold):
        known = fold != held
        weights, *_ = np.linalg.lstsq(centred[known], missed[known], rcond=None)
        moved[~known] = centred[~known] @ weights
    return moved


def line(count: int, plain: list[Drawn], adjusted: list[Drawn]) -> str:
    """A row of the table; both are the same draws."""
    ranked = [
        np.array([ranks_of(drawn)[0] for drawn in of]).reshape(-1, DRAWS).mean(1) for of in (plain, adjusted)
    ]
    gain = ranked[1] - ranked[0]
    low, high = interval(gain[resampled(len(gain))].mean(1))
    errors = [_error(of) for of in (plain, adjusted)]
    return (
        f"| {count} | {len(gain)} | {errors[0]:.3f} | {errors[1]:.3f} "
        f"| {gain.mean():+.3f} ({low:+.3f} to {high:+.3f}) | {ranked[0].mean():.3f} | {ranked[1].mean():.3f} |"
    )


def _error(draws: list[Drawn]) -> float:
    measured = np.concatenate([of.series.y[of.rest] for of in draws])
    return rmse(measured, np.concatenate([of.of.predicted for of in draws]))
