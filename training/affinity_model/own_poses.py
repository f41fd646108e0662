"""Scores own values on top of the structure-adjusted number, next to own values on top of the plain one.

python3 -m affinity_model own-poses --rows .cache/training/series-scores.tsv --poses .cache/training/pose-scores.tsv
    [--model models/current]

The rows come from `npm run score-series`, the features from `npm run score-poses`. The linear stage and the weights of
pose, similarity and difference are fitted on series of other genes; shares of own values are those of the model folder. Only compounds
with a pose are drawn and scored, for both. Intervals of gains are from resampled series. The second table is about the
intervals on the structure-adjusted number; its figures with settings of other genes are written to structure.json and the
card. The third table leaves the poses of some compounds out, as in a screen without them.
"""

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from .card import rewrite_text
from .data import read_tsv
from .final_stage import take
from .folders import options
from .metrics import interval, resampled, rmse
from .outside import Rows, gene_folds, load_rows, members_of
from .own_values import (
    CANDIDATES,
    COUNTS,
    DRAWS,
    Drawn,
    Series,
    Shares,
    Widths,
    choose,
    descriptor_scales,
    draw,
    draw_all,
    figures_of,
    fit_widths,
    gather,
    out_of_fold,
    ranks_of,
    squared_errors,
    update,
)

FEATURES = "mean", "similarity", "difference"


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
    figures = print_intervals(plain, adjusted, shares, read_widths(asked.model))
    print_without_poses(plain, adjusted, shares)
    keep_figures(asked.model, figures)


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


def read_widths(model: Path) -> Widths:
    """Of the model folder."""
    found = json.loads((model / "own-values.json").read_text())["widths"]
    return Widths(found["prior"], np.array(found["reach"]))


def print_intervals(
    plain: list[Series], adjusted: list[Series], shares: Shares, shipped: Widths
) -> list[dict]:
    """How many values are inside the interval on the adjusted number, and its half-width: with the shipped settings, and
    with those chosen on plain numbers of other genes. Nothing is chosen on adjusted numbers. Returns the latter figures.
    """
    print(
        "\n| own values | settings | RMSE | inside | nearest below 0.4 | 0.4 to 0.6 | above | mean half-width |"
    )
    print("|---|---|---|---|---|---|---|---|")
    answers: list[dict] = []
    for name, draws in (
        ("shipped", [(one, shipped.half(one)) for one in draw_all(adjusted, shares)]),
        ("of other genes", drawn_by_genes(plain, adjusted)),
    ):
        answers = [figures_of(draws, count) for count in COUNTS]
        for found in answers:
            near = " | ".join(
                "–" if share is None else f"{share:.1%}" for share in found["coverageBySimilarity"]
            )
            print(
                f"| {found['count']} | {name} | {found['rmse']:.3f} | {found['coverage']:.1%} | {near} "
                f"| {found['halfWidth']:.2f} |"
            )
    return answers


def drawn_by_genes(plain: list[Series], adjusted: list[Series]) -> list[tuple[Drawn, np.ndarray]]:
    """Draws on adjusted numbers with half-widths; shares and widths chosen on plain numbers of other genes."""
    errors = np.stack([squared_errors(plain, shares) for shares in CANDIDATES])
    draws: list[tuple[Drawn, np.ndarray]] = []
    for fold in sorted({one.fold for one in plain}):
        known = np.array([one.fold != fold for one in plain])
        shares = choose(errors, known)
        widths = fit_widths(draw_all([one for one, is_known in zip(plain, known) if is_known], shares))
        asked_of = draw_all([one for one in adjusted if one.fold == fold], shares)
        draws += [(drawn, widths.half(drawn)) for drawn in asked_of]
    return draws


def keep_figures(model: Path, figures: list[dict]) -> None:
    """Writes them into structure.json and the card for people; the model's version does not change."""
    path = model / "structure.json"
    structure = json.loads(path.read_text()) | {"ownValues": figures}
    path.write_text(json.dumps(structure, indent=2, ensure_ascii=False) + "\n")
    rewrite_text(model)


def print_without_poses(plain: list[Series], adjusted: list[Series], shares: Shares) -> None:
    """What the poses of measured compounds add, and what they do for a compound without one."""
    print("\n| own values | measured with a pose | the others | RMSE | tau |")
    print("|---|---|---|---|---|")
    for count in COUNTS:
        for own, rest in itertools.product((True, False), repeat=2):
            draws = [
                drawn
                for pair in zip(plain, adjusted)
                for drawn in draw_mixed(pair, count, shares, posed=(own, rest))
            ]
            tau = np.mean([ranks_of(drawn)[0] for drawn in draws])
            said = " | ".join("yes" if has else "no" for has in (own, rest))
            print(f"| {count} | {said} | {_error(draws):.3f} | {tau:.3f} |")


def draw_mixed(
    pair: tuple[Series, Series], count: int, shares: Shares, posed: tuple[bool, bool]
) -> list[Drawn]:
    """The same draws, with poses of the measured compounds or of the others alone; shifts are centred on those that
    have one, as in a screen."""
    plain, adjusted = pair
    mixed = []
    for drawn in draw(plain, count, shares):
        own = np.setdiff1d(np.arange(len(plain.y)), drawn.rest)
        has = np.zeros(len(plain.y), bool)
        has[own], has[drawn.rest] = posed
        shift = np.where(has, adjusted.predicted - plain.predicted, 0)
        shift[has] -= shift[has].mean() if has.any() else 0
        moved = replace(plain, predicted=plain.predicted + shift)
        mixed.append(Drawn(moved, count, drawn.rest, update(moved, own, drawn.rest, shares)))
    return mixed


def _error(draws: list[Drawn]) -> float:
    measured = np.concatenate([of.series.y[of.rest] for of in draws])
    return rmse(measured, np.concatenate([of.of.predicted for of in draws]))
