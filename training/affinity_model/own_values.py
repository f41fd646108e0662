"""How far a few values of a chemist's own move and narrow a model's numbers for the rest of a series.

python3 -m affinity_model.own_values --rows .cache/training/series-scores.tsv

A model's error, in units of its own half-width, is split in three: one shift for all compounds of the target, a part
that is alike for like compounds (Tanimoto), and chance: a Gaussian process, whose shares and size are learnt on series of
other genes than those that are scored. The product's `updateByOwnValues` computes the same.
"""

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .metrics import coverage, kendall, rmse
from .outside import SERIES_MIN, Rows, gene_folds, load_rows, members_of

DRAWS = 6
COUNTS = (1, 3, 5, 10)
# So many compounds must be left to score.
REST_MIN = 5
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class ErrorShares:
    """Shares of the variance of an error; they sum to 1. `size`: the deviation of an error in half-widths."""

    shift: float
    alike: float
    chance: float
    size: float


CANDIDATES = tuple(
    ErrorShares(shift, alike, round(1 - shift - alike, 2), size)
    for shift, alike, size in itertools.product(
        (0.3, 0.4, 0.5, 0.6), (0.2, 0.3, 0.4, 0.5), (0.5, 0.6, 0.7, 0.85)
    )
    if shift + alike < 0.95
)


@dataclass
class Series:
    """The new compounds of one series."""

    fold: int
    y: np.ndarray
    predicted: np.ndarray
    half: np.ndarray
    similarity: np.ndarray  # compounds x compounds, Tanimoto


@dataclass
class Scored:
    """Of many draws of own values: errors and whether the interval held, row by row; tau and likelihood, draw by draw."""

    y: np.ndarray
    predicted: np.ndarray
    half: np.ndarray
    tau: list[float]
    surprise: list[float]


def main() -> None:
    """The command: prints one line for each number of own values."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=Path, required=True)
    series = gather(load_rows(arguments.parse_args().rows))
    print("| own values | RMSE | tau inside a series | inside the 95% interval | mean half-width |")
    print("|---|---|---|---|---|")
    chosen = {
        fold: choose([one for one in series if one.fold != fold]) for fold in {one.fold for one in series}
    }
    for count in COUNTS:
        parts = [draw([one for one in series if one.fold == fold], count, chosen[fold]) for fold in chosen]
        y, predicted, half = (
            np.concatenate([getattr(part, of) for part in parts]) for of in ("y", "predicted", "half")
        )
        tau = np.mean([tau for part in parts for tau in part.tau])
        covered = coverage(y, predicted, half)
        print(f"| {count} | {rmse(y, predicted):.3f} | {tau:.3f} | {covered:.1%} | {half.mean():.2f} |")
    print(
        "\nLearnt on the other genes of each fold:",
        *sorted({str(shares) for shares in chosen.values()}),
        sep="\n",
    )


def gather(rows: Rows) -> list[Series]:
    """Series of SERIES_MIN or more compounds that the model was not trained on."""
    new = {name: values[rows["in_training"] == 0] for name, values in rows.items()}
    bits = np.stack([_bits_of(word) for word in new["fingerprint"]])
    fold, half = gene_folds(new["gene"]), (new["upper"] - new["lower"]) / 2
    return [
        Series(int(fold[of[0]]), new["pk"][of], new["predicted"][of], half[of], _tanimoto(bits[of]))
        for of in members_of(new["system"])
        if len(of) >= SERIES_MIN
    ]


def choose(series: Sequence[Series]) -> ErrorShares:
    """The candidate that finds the other compounds' values least surprising."""
    return min(
        CANDIDATES,
        key=lambda shares: np.mean([np.mean(draw(series, count, shares, 1).surprise) for count in COUNTS]),
    )


def draw(series: Sequence[Series], count: int, shares: ErrorShares, draws: int = DRAWS) -> Scored:
    """Draws `count` own values at random from each series, `draws` times, and scores the rest of it."""
    y, predicted, half, tau, surprise = [], [], [], [], []
    for place, one in enumerate(series):
        if len(one.y) < count + REST_MIN:
            continue
        for seed in range(draws):
            shuffled = np.random.default_rng((place, seed)).permutation(len(one.y))
            own, rest = shuffled[:count], shuffled[count:]
            updated, width = update(one, own, rest, shares)
            deviation, error = width / NORMAL_95, one.y[rest] - updated
            y.append(one.y[rest])
            predicted.append(updated)
            half.append(width)
            tau.append(kendall(one.y[rest], updated))
            surprise.append(float(np.mean(np.log(deviation) + 0.5 * (error / deviation) ** 2)))
    return Scored(np.concatenate(y), np.concatenate(predicted), np.concatenate(half), tau, surprise)


def update(
    series: Series, own: np.ndarray, rest: np.ndarray, shares: ErrorShares
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and half-widths of `rest` when the values of `own` are known."""
    covariance = shares.shift + shares.alike * series.similarity
    known = covariance[np.ix_(own, own)] + shares.chance * np.eye(len(own))
    across = covariance[np.ix_(rest, own)]
    errors = (series.y[own] - series.predicted[own]) / series.half[own]
    solved = np.linalg.solve(known, np.column_stack([errors, across.T]))
    left = 1 - np.einsum("ij,ji->i", across, solved[:, 1:])
    width = NORMAL_95 * shares.size * series.half[rest] * np.sqrt(np.maximum(left, 0))
    return series.predicted[rest] + series.half[rest] * (across @ solved[:, 0]), width


def _bits_of(word: str) -> np.ndarray:
    """Of a fingerprint in hexadecimal digits."""
    return np.unpackbits(np.frombuffer(bytes.fromhex(word), np.uint8)).astype(np.float64)


def _tanimoto(bits: np.ndarray) -> np.ndarray:
    shared, counts = bits @ bits.T, bits.sum(1)
    return shared / np.maximum(counts[:, None] + counts[None] - shared, 1)


if __name__ == "__main__":
    main()
