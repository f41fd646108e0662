"""Fits how far a user's own measured values move and narrow the predictions for the rest of a series.

The error of a prediction, in units of its half-width, is a Gaussian process with four parts: one shift for the whole
target, a part shared by compounds with similar fingerprints (Tanimoto), one shared by compounds with similar descriptors
(RBF), and noise. The figures use settings chosen on series of other genes; `own-values.json` contains those chosen on all.
The product's `own-values.ts` computes the same; the worked example in that file checks it.
"""

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from .calibrate import LEVEL, Predicted
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
# Upper limits of all bins but the last: number of own values, similarity to the closest.
COUNT_EDGES = (3, 5, 10)
SIMILARITY_EDGES = (0.4, 0.6)
# Weight of the model's interval, in own values, when the own values' spread sets the width.
PRIOR_COUNTS = (2.0, 4.0, 8.0, 16.0, 64.0)
# An error at the edge of the model's interval is this many standard deviations.
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Shares:
    """Shares of the variance of an error; they sum to 1."""

    shift: float
    alike: float
    shape: float
    chance: float


CANDIDATES = tuple(
    Shares(shift, round(1 - shift - shape - chance, 2), shape, chance)
    for shift, shape, chance in itertools.product(
        (0.1, 0.2, 0.3, 0.4), (0.0, 0.1, 0.15, 0.2, 0.25, 0.3), (0.05, 0.1, 0.15, 0.2)
    )
)


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
    # Tanimoto similarity to the closest own value.
    nearest: np.ndarray


@dataclass
class Drawn:
    """One draw of own values from a series, and the rest of it."""

    series: Series
    count: int
    rest: np.ndarray
    of: Update


@dataclass
class Widths:
    """Interval width relative to the plain interval, before capping at it."""

    prior: float
    reach: np.ndarray  # count bins x similarity bins

    def half(self, drawn: Drawn) -> np.ndarray:
        """Never wider than the plain interval."""
        wide = self.reach[bins(drawn)] * relative_width(drawn, self.prior)
        return drawn.series.half[drawn.rest] * np.minimum(wide, 1)


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


def fit_own_values(series: list[Series]) -> tuple[Shares, Widths, list[dict]]:
    """Settings chosen on all series, and the figures with settings chosen on series of other genes."""
    errors = np.stack([squared_errors(series, shares) for shares in CANDIDATES])
    draws: list[tuple[Drawn, np.ndarray]] = []
    for fold in sorted({one.fold for one in series}):
        known = np.array([one.fold != fold for one in series])
        shares = choose(errors, known)
        learnt = [one for one, is_known in zip(series, known, strict=True) if is_known]
        widths = fit_widths(draw_all(learnt, shares))
        scored = draw_all([one for one in series if one.fold == fold], shares)
        draws += [(drawn, widths.half(drawn)) for drawn in scored]
    shares = choose(errors, np.full(len(series), True))
    return shares, fit_widths(draw_all(series, shares)), [figures_of(draws, count) for count in COUNTS]


def choose(errors: np.ndarray, known: np.ndarray) -> Shares:
    """The candidate with the smallest squared error on the known series; numbers of own values weigh equally.

    errors: candidates x counts x series x (sum, rows)
    """
    total, rows = np.moveaxis(errors[:, :, known].sum(2), -1, 0)
    return CANDIDATES[int((total / rows).mean(1).argmin())]


def squared_errors(series: Sequence[Series], shares: Shares) -> np.ndarray:
    """counts x series x (sum, rows) of two draws, for all reported numbers of own values but one."""
    answer = np.zeros((len(COUNTS) - 1, len(series), 2))
    for at, count in enumerate(COUNTS[1:]):
        for place, one in enumerate(series):
            for drawn in draw(one, count, shares, draws=2):
                missed = one.y[drawn.rest] - drawn.of.predicted
                answer[at, place] += missed @ missed, len(missed)
    return answer


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
    covariance = shares.shift + shares.alike * series.alike + shares.shape * series.shape
    known = covariance[np.ix_(own, own)] + shares.chance * np.eye(len(own))
    across = covariance[np.ix_(rest, own)]
    errors = (series.y[own] - series.predicted[own]) / series.half[own]
    solved = np.linalg.solve(known, np.column_stack([errors, across.T]))
    return Update(
        predicted=series.predicted[rest] + series.half[rest] * (across @ solved[:, 0]),
        left=1 - np.einsum("ij,ji->i", across, solved[:, 1:]),
        spread=float(errors @ solved[:, 0]) * NORMAL_95**2,
        nearest=series.alike[np.ix_(rest, own)].max(1, initial=0),
    )


def relative_width(drawn: Drawn, prior: float) -> np.ndarray:
    """Width relative to the plain interval, before calibration: narrower if the own values scatter less than the model
    expects."""
    scale = (prior + drawn.of.spread) / (prior + drawn.count)
    return np.sqrt(scale * np.maximum(drawn.of.left, 0))


def bins(drawn: Drawn) -> tuple[int, np.ndarray]:
    """Indices into the table of widths."""
    return int(np.digitize(drawn.count, COUNT_EDGES)), np.digitize(drawn.of.nearest, SIMILARITY_EDGES)


def fit_widths(draws: Sequence[Drawn]) -> Widths:
    """The prior with the narrowest intervals on average that cover LEVEL of each bin."""
    tables = [Widths(prior, reach_table(draws, prior)) for prior in PRIOR_COUNTS]
    return min(
        tables, key=lambda table: float(np.mean(np.concatenate([table.half(drawn) for drawn in draws])))
    )


def reach_table(draws: Sequence[Drawn], prior: float) -> np.ndarray:
    """Count bins x similarity bins: factor of relative widths so that LEVEL of the errors are inside."""
    size = len(COUNT_EDGES) + 1, len(SIMILARITY_EDGES) + 1
    ratios: dict[tuple[int, ...], list[np.ndarray]] = {place: [] for place in np.ndindex(size)}
    for drawn in draws:
        count, similar = bins(drawn)
        missed = np.abs(drawn.series.y[drawn.rest] - drawn.of.predicted) / drawn.series.half[drawn.rest]
        ratio = missed / relative_width(drawn, prior)
        for at in range(size[1]):
            ratios[count, at].append(ratio[similar == at])
    rows = {place: np.concatenate([*found, []]) for place, found in ratios.items()}
    table = []
    for (count, _), some in rows.items():
        # A bin without rows uses all rows of its count.
        every = np.concatenate([rows[count, at] for at in range(size[1])])
        table.append(np.quantile(some if len(some) else every, LEVEL))
    # Few rows are far from every own value: their intervals are at least as wide as those of closer ones.
    return np.round(np.maximum.accumulate(np.reshape(table, size)[:, ::-1], 1)[:, ::-1], 3)


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


def written(shares: Shares, widths: Widths, scales: list[tuple[str, float, float]]) -> dict:
    """The product's format."""
    return {
        "shares": asdict(shares),
        "descriptors": [{"name": name, "mean": mean, "deviation": of} for name, mean, of in scales],
        "widths": {
            "prior": widths.prior,
            "countEdges": COUNT_EDGES,
            "similarityEdges": SIMILARITY_EDGES,
            "reach": widths.reach.tolist(),
        },
        "example": example(shares, widths),
    }


def example(shares: Shares, widths: Widths) -> dict:
    """Three own values and two other compounds, for checking the product."""
    bits = [[1, 2, 3, 4], [1, 2, 3, 9], [20, 21], [1, 2, 3, 5], [30, 31, 32]]
    scaled = np.array([[0.1 * (place + 1) * (at + 1) for at in range(7)] for place in range(5)])
    one_hot = np.array([[float(bit in of) for bit in range(40)] for of in bits])
    measured, predicted, half = [7.5, 7.0, 5.5], [6.5, 6.4, 6.0, 6.3, 6.1], [2.0, 2.0, 2.2, 2.0, 2.4]
    series = Series(
        0, 0, np.array([*measured, 0, 0]), np.array(predicted), np.array(half), similarity_of(one_hot), likeness(scaled), one_hot[:, 0]
    )  # fmt: skip
    rest = np.array([3, 4])
    drawn = Drawn(series, 3, rest, update(series, np.arange(3), rest, shares))
    return {
        "compounds": [
            {"bits": of, "descriptors": row.tolist(), "predicted": number, "halfWidth": width}
            for of, row, number, width in zip(bits, scaled, predicted, half, strict=True)
        ],
        "measured": measured,
        "updated": [
            {"predicted": float(number), "halfWidth": float(width)}
            for number, width in zip(drawn.of.predicted, widths.half(drawn), strict=True)
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
