"""Combines the base model with parts that generalise to new series, calibrates intervals, and writes both into a model
folder.

python3 -m affinity_model final-stage [--model models/current] [--kept <earlier model folder>]

It reads the published series and the rows that `held-back` drew, predicted by `npm run score-series` with parts that have
not seen them, and the outputs of `general-folds` for folds with left-out proteins and of `mixture-rows`. It also writes its
out-of-fold predictions for the series: stack, shares and widths are fitted on series of other genes. The shipped stage is
fitted on all series. Without `general-folds`, which needs the base model's out-of-fold rows, `--kept` names an earlier model
with the same base model, whose shares for proteins without values stay.
"""

import itertools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

from .card import finish_card
from .folders import Work, options
from .metrics import rmse
from .outside import FOLDS, STRATA, Rows, by_stratum, figures, gene_folds, load_rows

LEVEL = 0.95
# Tables of `mixture-rows` that are fitted on.
CHOSEN = ("chosen-0", "chosen-1", "chosen-2")
# Folds of the general table whose proteins no part knows.
UNKNOWN_FOLDS = ("target-1", "target-2", "both-1", "both-2")
# Candidates: strength of the ridge towards 0, and the variance between series relative to that within them.
HOLDS = (100.0, 300.0, 1000.0, 3000.0)
BETWEEN = (0.1, 0.3, 1.0)
# A chain with this containment in a training target is treated as that target.
SAME_TARGET_FROM = 0.9
# Analogues have no weight below the first similarity and full weight above the second.
HEARD_FROM, HEARD_WHOLLY = 0.3, 0.45
# The level of a target's values counts as if this many more values were where the stack expects them.
LEVEL_PRIOR = 10
# The base model's share, by the values it has on the target. Below the first similarity it is zero: there the base
# model's error is larger than the stack's and biased. From the last similarity on it is all, as folds of the general
# table require. If nothing was measured on the target, the closest compound on any target counts.
LABEL_KNOTS = (0, 1, 10, 100, 1000)
SIMILARITY_KNOTS = (0.3, 0.6, 0.9)
# For a compound measured on other targets the base model is better than the stack: its extra share is zero up to the
# first similarity of the closest compound on any target, and all at the second.
KNOWN_COMPOUND = (0.9, 1.0)
# Shares are learnt on the types that the base model is meant to predict.
BASE_TYPES = ("", "Ki", "Kd")
# Strata of the intervals, by number of values measured on the target.
LABEL_EDGES = (1, 10, 100, 1000)
SIMILARITY_EDGES = (0.3, 0.4, 0.55, 0.75)
# An IC50 depends on its assay and is usually lower than a Kd, so widths also depend on the target's most common type.
SIDES = ("other", "Ki", "IC50")
# Errors on one target are correlated, so a quantile of other targets' errors covers too little: candidates for a
# higher one.
QUANTILES = (0.95, 0.955, 0.96, 0.965, 0.97, 0.975, 0.98, 0.985, 0.99)
# A stratum with fewer rows gets no width of its own.
STRATUM_ROWS_MIN = 20
# Series, Ki and IC50 must each be covered in strata with this many rows of them.
KIND_ROWS_MIN = 100


# Rows of proteins that no part knows, one set per fold; or, without out-of-fold rows of the base model, known shares.
Unknown = Sequence[Rows] | np.ndarray


@dataclass
class Stack:
    """A linear function of five inputs, in pK."""

    constant: float
    heavy_atoms: float
    logp: float
    pooled: float
    analogues: float
    kernel: float

    def of(self, columns: np.ndarray) -> np.ndarray:
        """columns: from `stacked_columns`."""
        return self.constant + columns @ [
            self.heavy_atoms,
            self.logp,
            self.pooled,
            self.analogues,
            self.kernel,
        ]


@dataclass
class Level:
    """How far the stack moves on a target with values in ChEMBL, whose level and ranking they show. Published series have
    hardly any such target with few values, so a stack fitted on series alone does not learn it."""

    values: float = 0.0  # of the distance from the stack to the target's values, for the same compounds
    kernel: float = 0.0  # of the distance from the stack to the kernel


@dataclass
class Line:
    """The linear stage: a prediction without the base model."""

    stack: Stack
    level: Level

    def of(self, rows: Rows) -> np.ndarray:
        """One pK per row."""
        stacked = self.stack.of(stacked_columns(rows))
        if self.level == Level():
            return stacked
        return stacked + level_steps(self.stack, stacked, rows) @ [self.level.values, self.level.kernel]


@dataclass
class Stage:
    """Turns the known inputs of a pair into its prediction and interval."""

    stack: Stack
    shares: np.ndarray  # of the base model, LABEL_KNOTS x SIMILARITY_KNOTS
    half_widths: np.ndarray  # SIDES x label bins x similarity bins
    level: Level = field(default_factory=Level)

    @property
    def line(self) -> Line:
        """The prediction without the base model."""
        return Line(self.stack, self.level)

    def predict(self, rows: Rows) -> np.ndarray:
        """One pK per row."""
        share = base_share(rows, self.shares)
        mixed = share * rows["base"] + (1 - share) * self.line.of(rows)
        return np.minimum(mixed, rows["highest"])

    def half_width(self, rows: Rows) -> np.ndarray:
        """Half-widths, never narrower than the base model's."""
        return np.maximum(self.half_widths[strata(rows)], rows["base_half_width"])


def main(words: Sequence[str]) -> None:
    """The command."""
    arguments = options(__doc__)
    arguments.add_argument(
        "--kept", type=Path, help="model folder whose shares for proteins without values stay"
    )
    asked = arguments.parse_args(words)
    work = asked.work
    series, held_back = load_rows(work.series_scores), load_rows(work.held_back_scores)
    unknown: Unknown
    if asked.kept:
        unknown = read_stage(asked.kept / "final-stage.json").shares[0]
    else:
        unknown = [load_rows(work.folds / f"{name}.tsv") for name in UNKNOWN_FOLDS]
    chosen = load_chosen(work)
    predicted, half = out_of_fold(series, held_back, unknown, chosen)
    answered = series | {"predicted": predicted, "lower": predicted - half, "upper": predicted + half}
    write_rows(work.series_folds, answered)
    stage = fit_stage(series, held_back, unknown, chosen)
    written = write_stage(stage, asked.model)
    finish_card(
        asked.model,
        {
            "series": figures(answered),
            "heldBack": by_type(series, held_back, unknown, chosen),
            "finalStage": written["base"] | written["calibration"] | {"level": written["level"]},
            "keptFrom": json.loads((asked.kept / "model-card.json").read_text())["version"]
            if asked.kept
            else None,
        },
        json.loads((work.outside / "manifest.json").read_text())["tables"],
    )


def load_chosen(work: Work) -> list[Rows]:
    """Rows of each kind that the level is fitted on besides the series: of hidden years, and of targets with few values.

    The years are the same in every table, so they are read once. Empty if the tables have no such targets.
    """
    tables = [load_rows(path) for name in CHOSEN if (path := work.mixture / f"{name}.tsv").exists()]
    if not tables:
        return []
    few = [take(rows, rows["split"] == "few") for rows in tables]
    return [
        take(tables[0], tables[0]["split"] == "time"),
        {name: np.concatenate([rows[name] for rows in few]) for name in tables[0]},
    ]


def by_type(series: Rows, held_back: Rows, unknown: Unknown = (), chosen: Sequence[Rows] = ()) -> dict:
    """Scores held-back rows, by type, with a stage fitted on rows of other targets."""
    fold, (predicted, width) = gene_folds(held_back["gene"]), np.zeros((2, len(held_back["pk"])))
    for held in np.unique(fold):
        asked = take(held_back, fold == held)
        stage = fit_stage(series, take(held_back, fold != held), unknown, chosen)
        predicted[fold == held], width[fold == held] = stage.predict(asked), stage.half_width(asked)
    answered = held_back | {"predicted": predicted, "half_width": width}
    return {
        str(name): _figures_of_type(
            take(answered, (answered["type"] == name) & (answered["in_training"] == 0))
        )
        for name in np.unique(held_back["type"])
    }


def _figures_of_type(rows: Rows) -> dict:
    error, width = rows["predicted"] - rows["pk"], rows["half_width"]
    return {
        "compounds": len(error),
        "baseRmse": round(rmse(rows["pk"], rows["base"]), 3),
        "rmse": round(rmse(rows["pk"], rows["predicted"]), 3),
        "bias": round(float(error.mean()), 3),
        "halfWidth": round(float(width.mean()), 3),
        "coverage": round(float(np.mean(np.abs(error) <= width)), 3),
        "strata": [
            {"by": title, "rows": by_stratum(rows, width, column, edges)} for title, column, edges in STRATA
        ],
    }


def fit_stage(series: Rows, held_back: Rows, unknown: Unknown = (), chosen: Sequence[Rows] = ()) -> Stage:
    """Fits on all series; level, shares and widths use predictions of stacks fitted on other genes.

    chosen: what the level is fitted on besides the series.
    """
    line, of_series = fit_line(series, chosen)
    rows = {name: np.concatenate([series[name], held_back[name]]) for name in NEEDED}
    stacked = np.concatenate([of_series, line.of(held_back)])
    new = rows["in_training"] == 0
    rows, stacked = take(rows, new), stacked[new]
    is_meant = np.isin(rows["type"], BASE_TYPES)
    is_unknown = is_meant & (rows["base_labels"] == 0)
    of_unknown = unknown
    if not isinstance(of_unknown, np.ndarray):
        folds = [(of, line.of(of)) for of in of_unknown]
        of_unknown = fit_shares_of_unknown((take(rows, is_unknown), stacked[is_unknown]), folds)
    shares = fit_shares(take(rows, is_meant), stacked[is_meant], of_unknown)
    share = base_share(rows, shares)
    errors = np.abs(rows["pk"] - share * rows["base"] - (1 - share) * stacked)
    return Stage(line.stack, shares, fit_half_widths(errors, rows), line.level)


def fit_line(series: Rows, chosen: Sequence[Rows] = ()) -> tuple[Line, np.ndarray]:
    """The linear stage, and predictions for the series by stacks fitted on other genes, with its level."""
    fold, columns = gene_folds(series["gene"]), stacked_columns(series)
    stack = choose_stack(series, columns)
    of_series, steps = np.zeros(len(fold)), np.zeros((len(fold), 2))
    for held in np.unique(fold):
        known, asked = fold != held, take(series, fold == held)
        without = choose_stack(take(series, known), columns[known])
        of_series[~known] = without.of(columns[~known])
        if chosen:
            steps[~known] = level_steps(without, of_series[~known], asked)
    new = series["in_training"] == 0
    level = fit_level(stack, (take(series, new), of_series[new], steps[new]), chosen)
    return Line(stack, level), of_series + steps @ [level.values, level.kernel]


NEEDED = (
    "pk", "base", "heavy_atoms", "logp", "pooled", "analogues", "kernel", "wide_similarity", "base_labels", "base_similarity",
    "compound_similarity", "labels_on_target", "similarity_on_target", "mostly", "gene", "in_training", "type",
)  # fmt: skip


def out_of_fold(
    series: Rows, held_back: Rows, unknown: Unknown = (), chosen: Sequence[Rows] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Prediction and half-width of each series row, from a stage fitted on series of other genes."""
    fold = gene_folds(series["gene"])
    predicted, half = np.zeros(len(fold)), np.zeros(len(fold))
    for held in np.unique(fold):
        asked = take(series, fold == held)
        stage = fit_stage(take(series, fold != held), held_back, unknown, chosen)
        predicted[fold == held], half[fold == held] = stage.predict(asked), stage.half_width(asked)
    return predicted, half


# The columns of a stack, by the names under which they are averaged over the values on a target.
AVERAGED = ("heavy_atoms", "logp", "pooled", "analogues", "kernel")


def stacked_columns(rows: Rows) -> np.ndarray:
    """rows x 5."""
    heard = np.clip((rows["wide_similarity"] - HEARD_FROM) / (HEARD_WHOLLY - HEARD_FROM), 0, 1)
    return np.stack(
        [rows["heavy_atoms"], rows["logp"], rows["pooled"], heard * rows["analogues"], rows["kernel"]], 1
    )


def level_steps(stack: Stack, stacked: np.ndarray, rows: Rows) -> np.ndarray:
    """rows x 2: the distances that `Level` has shares of; zero on targets without values in ChEMBL.

    stacked: the stack's prediction per row.
    """
    averages = np.stack([rows[f"mean_{name}"] for name in AVERAGED], 1)
    known = rows["labels"] / (rows["labels"] + LEVEL_PRIOR)
    distances = np.stack(
        [known * (rows["mean_pk"] - stack.of(averages)), rows["kernel"] - stacked],
        1,
    )
    return np.where(((rows["mostly"] != "other") & (rows["labels"] > 0))[:, None], distances, 0)


def fit_level(stack: Stack, series: tuple[Rows, np.ndarray, np.ndarray], chosen: Sequence[Rows]) -> Level:
    """Least squares, not negative; the series together weigh as much as each set of chosen rows. No level without these:
    series are on too few targets with values in ChEMBL.

    series: rows, predictions of stacks fitted on other genes, and their `level_steps`.
    """
    if not chosen:
        return Level()
    sets = [series]
    for rows in chosen:
        stacked = stack.of(stacked_columns(rows))
        sets.append((rows, stacked, level_steps(stack, stacked, rows)))
    weights = [1 / np.sqrt(max(len(stacked), 1)) for _, stacked, _ in sets]
    design = np.concatenate([weight * steps for weight, (_, _, steps) in zip(weights, sets)])
    missed = [weight * (rows["pk"] - stacked) for weight, (rows, stacked, _) in zip(weights, sets)]
    return Level(*nnls(design, np.concatenate(missed))[0].tolist())


def choose_stack(rows: Rows, columns: np.ndarray) -> Stack:
    """Picks the two settings with the lowest error on series of left-out genes."""
    fold, y = gene_folds(rows["gene"]), rows["pk"]
    _, series = np.unique(rows["system"], return_inverse=True)

    def error(candidate: tuple[float, float]) -> float:
        total = 0.0
        for held in range(FOLDS):
            of = fold != held
            guess = fit_stack(columns[of], y[of], series[of], candidate).of(columns[~of])
            total += float(((y[~of] - guess) ** 2).sum())
        return total

    return fit_stack(columns, y, series, min(itertools.product(HOLDS, BETWEEN), key=error))


def fit_stack(
    columns: np.ndarray, y: np.ndarray, series: np.ndarray, candidate: tuple[float, float]
) -> Stack:
    """Ridge on standardised columns with a shared shift per series; settings: ridge strength and variance between
    series."""
    hold, between = candidate
    mean, deviation = columns.mean(0), columns.std(0) + 1e-9
    design = np.column_stack([np.ones(len(y)), (columns - mean) / deviation])
    whitened = _without_shifts(np.column_stack([design, y]), series, between)
    seen, wanted = whitened[:, :-1], whitened[:, -1]
    held = np.diag([0.0, *[hold] * columns.shape[1]])
    constant, *weights = np.linalg.solve(seen.T @ seen + held, seen.T @ wanted)
    weights = weights / deviation
    return Stack(float(constant - weights @ mean), *weights.tolist())


def fit_shares_of_unknown(
    series: tuple[Rows, np.ndarray], folds: Sequence[tuple[Rows, np.ndarray]]
) -> np.ndarray:
    """SIMILARITY_KNOTS: the share if nothing was measured on the target. Least squares, never decreasing with the
    similarity of the closest compound on any target. All series together weigh as much as all folds together.

    Each: rows and their stack predictions.
    """
    designs, targets = [np.zeros((1, len(SIMILARITY_KNOTS)))], [np.zeros(1)]
    for (rows, stacked), sets in [(series, 1), *((fold, len(folds)) for fold in folds)]:
        apart, known = rows["base"] - stacked, known_compound(rows)
        weight = 1 / np.sqrt(max(len(apart), 1) * sets)
        hats = knot_weights(rows).reshape(-1, len(LABEL_KNOTS), len(SIMILARITY_KNOTS))[:, 0]
        designs.append(weight * ((1 - known) * apart)[:, None] * hats)
        targets.append(weight * (rows["pk"] - stacked - known * apart))
    up_to = monotone((len(SIMILARITY_KNOTS), 1))
    steps, _ = nnls(np.concatenate(designs) @ up_to, np.concatenate(targets))
    return np.minimum(up_to @ steps, 1)


def fit_shares(rows: Rows, stacked: np.ndarray, of_unknown: np.ndarray) -> np.ndarray:
    """LABEL_KNOTS x SIMILARITY_KNOTS. Least squares between the first and the last similarity; the base model's share
    never decreases with more values on the target.

    stacked: the stack's prediction per row; of_unknown: the first row of the table.
    """
    shares = np.zeros((len(LABEL_KNOTS), len(SIMILARITY_KNOTS)))
    shares[:, -1], shares[0] = 1, of_unknown
    known = known_compound(rows)
    weights = (1 - known)[:, None, None] * knot_weights(rows).reshape(-1, *shares.shape)
    apart, missed = rows["base"] - stacked, rows["pk"] - stacked
    missed = missed - (known + (weights * shares).sum((1, 2))) * apart
    up_to = monotone((len(LABEL_KNOTS) - 1, 1))
    steps, _ = nnls(weights[:, 1:, 1] @ up_to * apart[:, None], missed)
    shares[1:, 1] = np.minimum(up_to @ steps, 1)
    return shares


def base_share(rows: Rows, shares: np.ndarray) -> np.ndarray:
    """The base model's share per row, 0 to 1."""
    known = known_compound(rows)
    return known + (1 - known) * (knot_weights(rows) @ shares.ravel())


def known_compound(rows: Rows) -> np.ndarray:
    """Per row, how far the compound counts as known to the base model from other targets, 0 to 1."""
    return np.interp(rows["compound_similarity"], KNOWN_COMPOUND, (0, 1))


def monotone(nodes: tuple[int, int]) -> np.ndarray:
    """Matrix that turns non-negative steps into a table that never decreases along a row or a column."""
    return np.kron(*(np.tril(np.ones((count, count))) for count in nodes))


def knot_weights(rows: Rows) -> np.ndarray:
    """Interpolation weights, rows x (LABEL_KNOTS * SIMILARITY_KNOTS); each row sums to 1."""
    labels, on_target, anywhere = (
        np.stack([np.interp(rows[name], knots, unit) for unit in np.eye(len(knots))], 1)
        for name, knots in (
            ("base_labels", LABEL_KNOTS),
            ("base_similarity", SIMILARITY_KNOTS),
            ("compound_similarity", SIMILARITY_KNOTS),
        )
    )
    weights = labels[:, :, None] * on_target[:, None]
    weights[:, 0] = labels[:, [0]] * anywhere
    return weights.reshape(len(labels), len(LABEL_KNOTS) * len(SIMILARITY_KNOTS))


def strata(rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Index in SIDES, label bin and similarity bin, per row."""
    return (
        np.select([rows["mostly"] == side for side in SIDES], range(len(SIDES))),
        np.digitize(rows["labels_on_target"], LABEL_EDGES),
        np.digitize(rows["similarity_on_target"], SIMILARITY_EDGES),
    )


def fit_half_widths(errors: np.ndarray, rows: Rows) -> np.ndarray:
    """SIDES x label bins x similarity bins. A target without values belongs to every side and gets the largest width;
    if the type is unknown, the width comes from all rows of unknown type, on any target."""
    side, labels, _ = strata(rows)
    is_like = [rows["type"] == "", *(side == at for at in range(1, len(SIDES)))]
    members = [of | (labels == 0) for of in is_like]
    # A side without rows uses all rows.
    members = [of if of.any() else np.full(len(errors), True) for of in members]
    widths = np.stack([_widths_of_side(errors[of], take(rows, of)) for of in members])
    widths[:, 0] = widths[:, 0].max(0)
    return widths


def _widths_of_side(errors: np.ndarray, rows: Rows) -> np.ndarray:
    """The first quantile that covers LEVEL of the rows of left-out targets."""
    fold = gene_folds(rows["gene"])
    if len(np.unique(fold)) < FOLDS:
        return width_table(errors, rows, LEVEL)
    _, *bins = strata(rows)
    for level in QUANTILES:
        half = np.zeros(len(errors))
        for held in np.unique(fold):
            known = fold != held
            half[~known] = width_table(errors[known], take(rows, known), level)[
                tuple(at[~known] for at in bins)
            ]
        if np.mean(errors <= half) >= LEVEL:
            break
    return width_table(errors, rows, level)


def width_table(errors: np.ndarray, rows: Rows, level: float) -> np.ndarray:
    """Label bins x similarity bins: the table closest to the strata's quantiles that never narrows with fewer values or
    less similar compounds."""
    _, labels, similar = strata(rows)
    size = len(LABEL_EDGES) + 1, len(SIMILARITY_EDGES) + 1
    members = [(labels == i) & (similar == j) for i, j in np.ndindex(size)]
    # Strata without rows use all rows, with the weight of one row.
    is_full = [of.sum() >= STRATUM_ROWS_MIN for of in members]
    members = [of if full else np.full(len(errors), True) for of, full in zip(members, is_full)]
    found = np.array([widest(errors[of], rows["type"][of], level) for of in members])
    weight = np.sqrt([of.sum() if full else 1 for of, full in zip(members, is_full)])[:, None]
    # Starting at most values and closest compounds, the table only increases.
    up_to = monotone(size)[::-1, ::-1]
    steps, _ = nnls(weight * up_to, weight[:, 0] * found)
    return (up_to @ steps).reshape(size)


def widest(errors: np.ndarray, kinds: np.ndarray, level: float) -> float:
    """The largest quantile among kinds with many rows; of all rows if there is no such kind."""
    members = [kinds == kind for kind in np.unique(kinds)]
    found = [quantile(errors[of], level) for of in members if of.sum() >= KIND_ROWS_MIN]
    return max(found or [quantile(errors, level)])


def quantile(errors: np.ndarray, level: float) -> float:
    """Quantile with one more error at infinity, as conformal prediction requires."""
    rank = min(int(np.ceil(level * (len(errors) + 1))), len(errors))
    return float(np.sort(errors)[rank - 1])


def write_stage(stage: Stage, out: Path) -> dict:
    """Writes the product's format; returns what was written."""
    constant, heavy_atoms, logp, pooled, analogues, kernel = (
        round(v, 6) for v in asdict(stage.stack).values()
    )
    written = {
        "sameTargetFrom": SAME_TARGET_FROM,
        "analoguesHeard": [HEARD_FROM, HEARD_WHOLLY],
        "stack": {
            "constant": constant,
            "heavyAtoms": heavy_atoms,
            "logp": logp,
            "pooled": pooled,
            "analogues": analogues,
            "kernel": kernel,
        },
        "level": {"prior": LEVEL_PRIOR}
        | {name: round(share, 6) for name, share in asdict(stage.level).items()},
        "base": {
            "labelKnots": LABEL_KNOTS,
            "similarityKnots": SIMILARITY_KNOTS,
            "knownCompound": KNOWN_COMPOUND,
            "shares": np.round(stage.shares, 4).tolist(),
        },
        "calibration": {
            "labelEdges": LABEL_EDGES,
            "similarityEdges": SIMILARITY_EDGES,
            "halfWidths": {
                name: np.round(table, 3).tolist() for name, table in zip(SIDES, stage.half_widths)
            },
        },
    }
    (out / "final-stage.json").write_text(json.dumps(written) + "\n")
    return written


def read_stage(path: Path) -> Stage:
    """Reads what `final_stage` wrote."""
    read = json.loads(path.read_text())
    stack = read["stack"]
    ordered = (stack[name] for name in ("constant", "heavyAtoms", "logp", "pooled", "analogues", "kernel"))
    widths = read["calibration"]["halfWidths"]
    level = read.get("level", {})
    return Stage(
        Stack(*ordered),
        np.array(read["base"]["shares"]),
        np.array(list(widths.values())),
        Level(level.get("values", 0.0), level.get("kernel", 0.0)),
    )


def take(rows: Rows, chosen: np.ndarray) -> Rows:
    """Selects rows, by number or by mask."""
    return {name: values[chosen] for name, values in rows.items()}


def write_rows(path: Path, rows: Rows) -> None:
    """The table that `outside.load_rows` reads."""
    lines = ["\t".join(rows), *("\t".join(map(str, row)) for row in zip(*rows.values()))]
    path.write_text("\n".join(lines) + "\n")


def _without_shifts(values: np.ndarray, series: np.ndarray, between: float) -> np.ndarray:
    """Subtracts from each series the share of its mean that makes its errors independent."""
    _, at, count = np.unique(series, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(at, column) for column in values.T], 1) / count[:, None]
    share = 1 - 1 / np.sqrt(1 + between * count)
    return values - (share[:, None] * means)[at]
