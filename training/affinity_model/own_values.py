"""How a user's own measured values move and narrow the predictions for the rest of a series.

Own values are rows of a new assay on the target: an offset of the assay, and the terms of the model with its variances, `near`,
everything else, and noise. Everything else, which the regression may have missed, is shared by compounds
with similar descriptors (RBF). The error of a prediction is in units of its half-width, which holds what public values left
open. Nothing is fitted on own values but the factor of the interval. The product's `own-values.ts` computes the same; the
worked example in `own-values.json` checks it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from .calibrate import LEVEL, Predicted, Widths
from .near import NearSettings
from .score import Scored, kendall, summary, without_size

DRAWS = 6
COUNTS = (1, 3, 5, 10)
# A draw must leave this many compounds to score.
REST_MIN = 5
SERIES_MIN = 7
DESCRIPTORS = (
    "NumHeavyAtoms",
    "CrippenClogP",
    "tpsa",
    "NumHBD",
    "NumRotatableBonds",
    "NumAromaticRings",
    "FractionCSP3",
)
# Prior standard deviation of the offset of the user's assay, in pK.
ASSAY = 0.6
# Weight of the model's interval, in own values, when the own values' spread sets the width.
PRIOR_COUNT = 2.0
# An error at the edge of the model's interval is this many standard deviations.
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Shares:
    """Shares of the variance of an error, which sum to 1; `power`: of the similarity in `near`."""

    assay: float
    near: float
    rest: float
    noise: float
    power: float


def shares_of(near: NearSettings, widths: Widths) -> Shares:
    """From the variances of the model, in pK^2; the rest: what the intervals add to that of `near`, in the median bin."""
    variances = [ASSAY**2, near.height, float(np.median(widths.variances)), near.noise]
    assay, height, rest, noise = (round(one / sum(variances), 3) for one in variances)
    return Shares(assay, height, rest, noise, near.power)


@dataclass
class Series:
    """The new compounds of one series."""

    seed: int
    fold: int
    y: np.ndarray
    predicted: np.ndarray
    half: np.ndarray
    alike: np.ndarray  # compounds x compounds, Tanimoto
    shape: np.ndarray  # compounds x compounds, RBF on descriptors
    heavy_atoms: np.ndarray


@dataclass
class Update:
    """How own values change predictions of other compounds."""

    predicted: np.ndarray
    # Remaining share of the prior variance.
    left: np.ndarray
    # Squared error of the own values, whitened: equals their number if the process fits.
    spread: float


@dataclass
class Drawn:
    """One draw of own values from a series, and the rest of it."""

    series: Series
    count: int
    rest: np.ndarray
    of: Update


def gather(
    parts: Sequence[Predicted],
    predicted: Sequence[np.ndarray],
    half: Sequence[np.ndarray],
    prints: Sequence[np.ndarray],
    described: Sequence[np.ndarray],
    fold_of: dict[str, int],
) -> list[Series]:
    """Series with SERIES_MIN compounds or more; `prints`: bits, `described`: standardised descriptors, per series."""
    return [
        Series(
            seed,
            fold_of[str(one.gene[0])],
            one.y,
            predicted[seed],
            half[seed],
            similarity_of(prints[seed]),
            likeness(described[seed]),
            one.heavy_atoms,
        )
        for seed, one in enumerate(parts)
        if len(one.y) >= SERIES_MIN
    ]


def fit_own_values(series: list[Series], shares: Shares) -> tuple[float, list[dict]]:
    """The factor of the interval, and the figures with that of series of other genes."""
    drawn = draw_all(series, shares)
    scored: list[tuple[Drawn, np.ndarray]] = []
    for fold in sorted({one.fold for one in series}):
        factor = fit_factor([one for one in drawn if one.series.fold != fold])
        scored += [(one, narrowed(one, factor)) for one in drawn if one.series.fold == fold]
    return fit_factor(drawn), [figures_of(scored, count) for count in COUNTS]


def draw_all(series: Sequence[Series], shares: Shares) -> list[Drawn]:
    """Draws with every number of own values, from every series."""
    return [drawn for count in COUNTS for one in series for drawn in draw(one, count, shares)]


def draw(series: Series, count: int, shares: Shares, draws: int = DRAWS) -> list[Drawn]:
    """Draws `count` own values at random, `draws` times; none if too few compounds would remain."""
    if len(series.y) < count + REST_MIN:
        return []
    orders = [np.random.default_rng((series.seed, at)).permutation(len(series.y)) for at in range(draws)]
    return [
        Drawn(series, count, order[count:], update(series, order[:count], order[count:], shares))
        for order in orders
    ]


def update(series: Series, own: np.ndarray, rest: np.ndarray, shares: Shares) -> Update:
    """Predictions for `rest` given the values of `own`."""
    covariance = shares.assay + shares.near * series.alike**shares.power + shares.rest * series.shape
    known = covariance[np.ix_(own, own)] + shares.noise * np.eye(len(own))
    across = covariance[np.ix_(rest, own)]
    errors = (series.y[own] - series.predicted[own]) / series.half[own]
    solved = np.linalg.solve(known, np.column_stack([errors, across.T]))
    return Update(
        predicted=series.predicted[rest] + series.half[rest] * (across @ solved[:, 0]),
        left=1 - np.einsum("ij,ji->i", across, solved[:, 1:]),
        spread=float(errors @ solved[:, 0]) * NORMAL_95**2,
    )


def relative_width(drawn: Drawn) -> np.ndarray:
    """Width relative to the plain interval, before the factor: narrower if the own values scatter less than the model
    expects."""
    scale = (PRIOR_COUNT + drawn.of.spread) / (PRIOR_COUNT + drawn.count)
    return np.sqrt(scale * np.maximum(drawn.of.left, 0))


def narrowed(drawn: Drawn, factor: float) -> np.ndarray:
    """Half-widths, never wider than the plain ones."""
    return drawn.series.half[drawn.rest] * np.minimum(factor * relative_width(drawn), 1)


def fit_factor(draws: Sequence[Drawn]) -> float:
    """LEVEL of the errors are inside."""
    missed = [
        np.abs(one.series.y[one.rest] - one.of.predicted) / one.series.half[one.rest] / relative_width(one)
        for one in draws
    ]
    return round(float(np.quantile(np.concatenate(missed), LEVEL)), 3)


def figures_of(draws: Sequence[tuple[Drawn, np.ndarray]], count: int) -> dict:
    """Scores over all draws with this many own values; tau is Kendall's inside a series, beyond: after a line on size."""
    some = [(drawn, half) for drawn, half in draws if drawn.count == count]
    scored = [Scored(d.series.y[d.rest], d.of.predicted, d.series.heavy_atoms[d.rest]) for d, _ in some]
    y, predicted = (np.concatenate([getattr(one, name) for one in scored]) for name in ("y", "predicted"))
    half = np.concatenate([half for _, half in some])
    tau = [kendall(one.y, one.predicted) for one in scored]
    beyond = [
        kendall(without_size(one.y, one.heavy_atoms), without_size(one.predicted, one.heavy_atoms))
        for one in scored
    ]
    return {
        "count": count,
        "series": len({drawn.series.seed for drawn, _ in some}),
        "rmse": round(summary(scored)["rmse"], 3),
        "tau": round(float(np.mean(tau)), 3),
        "tauBeyondSize": round(float(np.mean(beyond)), 3),
        "coverage": round(float(np.mean(np.abs(y - predicted) <= half)), 3),
        "halfWidth": round(float(half.mean()), 3),
    }


def written(shares: Shares, factor: float, scales: list[tuple[str, float, float]]) -> dict:
    """The product's format."""
    return {
        "shares": asdict(shares),
        "descriptors": [{"name": name, "mean": mean, "deviation": of} for name, mean, of in scales],
        "width": {"factor": factor, "priorCount": PRIOR_COUNT},
        "example": example(shares, factor),
    }


def example(shares: Shares, factor: float) -> dict:
    """Three own values and two other compounds, for checking the product."""
    bits = [[1, 2, 3, 4], [1, 2, 3, 9], [20, 21], [1, 2, 3, 5], [30, 31, 32]]
    scaled = np.array([[0.1 * (place + 1) * (at + 1) for at in range(7)] for place in range(5)])
    one_hot = np.array([[float(bit in of) for bit in range(40)] for of in bits])
    measured, predicted, widths = [7.5, 7.0, 5.5], [6.5, 6.4, 6.0, 6.3, 6.1], [2.0, 2.0, 2.2, 2.0, 2.4]
    series = Series(
        0, 0, np.array([*measured, 0, 0]), np.array(predicted), np.array(widths), similarity_of(one_hot), likeness(scaled), one_hot[:, 0]
    )  # fmt: skip
    rest = np.array([3, 4])
    drawn = Drawn(series, 3, rest, update(series, np.arange(3), rest, shares))
    return {
        "compounds": [
            {"bits": of, "descriptors": row.tolist(), "predicted": number, "halfWidth": width}
            for of, row, number, width in zip(bits, scaled, predicted, widths, strict=True)
        ],
        "measured": measured,
        "updated": [
            {"predicted": float(number), "halfWidth": float(width)}
            for number, width in zip(drawn.of.predicted, narrowed(drawn, factor), strict=True)
        ],
    }


def similarity_of(bits: np.ndarray) -> np.ndarray:
    """Tanimoto between rows of bits."""
    shared = bits @ bits.T
    size = bits.sum(1)
    return shared / np.maximum(size[:, None] + size[None] - shared, 1)


def likeness(scaled: np.ndarray) -> np.ndarray:
    """RBF between compounds on standardised descriptors, 0 to 1."""
    return np.exp(-((scaled[:, None] - scaled[None]) ** 2).mean(2))
