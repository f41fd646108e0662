"""Scores a model on published series, as users would use it, next to simple baselines.

python3 -m affinity_model outside --rows .cache/training/series-scores.tsv

The rows come from `npm run score-series`: one per compound of each series, predicted by the product. Compounds in
the model's training data are not scored.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from .data import read_tsv
from .folders import options
from .metrics import coverage, kendall, pearson, rmse

# Kendall's tau of fewer compounds is mostly noise.
SERIES_MIN = 7
FOLDS = 5
# Upper limits of all strata but the last.
LABEL_EDGES = (1, 10, 30, 100, 300, 1000)
SIMILARITY_EDGES = (0.3, 0.4, 0.55, 0.75)
STRATUM_MIN = 50

STRATA = (
    ("values measured on the target", "labels_on_target", LABEL_EDGES),
    ("closest compound measured on the target", "similarity_on_target", SIMILARITY_EDGES),
    ("closest compound on any target", "compound_similarity", SIMILARITY_EDGES),
)
MODEL = "the model"

Rows = dict[str, np.ndarray]


@dataclass
class Score:
    """In pK units; tau is Kendall's."""

    rmse: float
    macro_rmse: float
    r: float
    tau: float
    bias: float
    coverage: float | None = None


def main(words: Sequence[str]) -> None:
    """The command: prints the report."""
    asked = options(__doc__, "rows").parse_args(words)
    print(report(load_rows(asked.rows)))


def load_rows(path: Path) -> Rows:
    """Columns of the table; numeric if every value is."""
    table = read_tsv(path)
    return {name: _column([row[name] for row in table]) for name in table[0]}


def report(rows: Rows) -> str:
    """Markdown tables: every predictor, then the model by strata of nearby measured values."""
    return "\n".join(tables(figures(rows)))


def figures(rows: Rows) -> dict:
    """All figures of the tables, for compounds the model was not trained on."""
    rows = {name: values[rows["in_training"] == 0] for name, values in rows.items()}
    half = (rows["upper"] - rows["lower"]) / 2
    return {
        "compounds": len(rows["pk"]),
        "series": len(np.unique(rows["system"])),
        "meanHalfWidth": round(float(half.mean()), 3),
        "predictors": {
            name: rounded(score(rows, predicted, half if name == MODEL else None))
            for name, predicted in predictors(rows).items()
        },
        "strata": [
            {"by": title, "rows": by_stratum(rows, half, column, edges)} for title, column, edges in STRATA
        ],
    }


def tables(of: dict) -> list[str]:
    """Markdown lines for the output of `figures`."""
    lines = [
        f"{of['compounds']:,} compounds that the model was not trained on, in {of['series']} series.",
        "",
        "| | RMSE | macro RMSE | R | tau inside a series | bias | inside the 95% interval |",
        "|---|---|---|---|---|---|---|",
        *(_line(name, scored) for name, scored in of["predictors"].items()),
    ]
    return lines + strata_tables(of["strata"])


def strata_tables(strata: list[dict]) -> list[str]:
    """Markdown lines, with an empty one before each table."""
    lines = []
    for stratum in strata:
        lines += [
            "",
            f"| {stratum['by']} | compounds | RMSE | bias | half-width | inside |",
            "|---|---|---|---|---|---|",
            *(
                f"| {row['range']} | {row['compounds']:,} | {row['rmse']:.2f} | {row['bias']:+.2f} "
                f"| {row['halfWidth']:.2f} | {row['coverage']:.1%} |"
                for row in stratum["rows"]
            ),
        ]
    return lines


def rounded(scored: Score) -> dict:
    """As written into a card."""
    return {name: None if value is None else round(value, 3) for name, value in asdict(scored).items()}


def predictors(rows: Rows) -> dict[str, np.ndarray]:
    """The model and its baselines. Lines are fitted on series of other genes."""
    parts = [rows[name] for name in rows if name.startswith("part_")]
    named = {
        MODEL: rows["predicted"],
        **({"base model": rows["base"]} if "base" in rows else {}),
        "mean of the base model's parts": np.mean(parts, 0),
        "mean of these compounds": np.full(len(rows["pk"]), rows["pk"].mean()),
        "line on heavy atoms": _line_across_genes(rows, rows["heavy_atoms"]),
        "line on logP": _line_across_genes(rows, rows["logp"]),
    }
    return named | {"free-energy perturbation": rows["fep"]} if "fep" in rows else named


def score(rows: Rows, predicted: np.ndarray, half_width: np.ndarray | None = None) -> Score:
    """Macro: mean over series; tau: likewise, over series with SERIES_MIN compounds or more."""
    y, members = rows["pk"], members_of(rows["system"])
    large = [of for of in members if len(of) >= SERIES_MIN]
    return Score(
        rmse=rmse(y, predicted),
        macro_rmse=float(np.mean([rmse(y[of], predicted[of]) for of in members])),
        r=pearson(y, predicted),
        tau=float(np.mean([kendall(y[of], predicted[of]) for of in large])) if large else 0.0,
        bias=float(np.mean(predicted - y)),
        coverage=None if half_width is None else coverage(y, predicted, half_width),
    )


def members_of(keys: np.ndarray) -> list[np.ndarray]:
    """Row numbers per distinct key."""
    return [np.flatnonzero(keys == key) for key in np.unique(keys)]


def gene_folds(genes: np.ndarray, folds: int = FOLDS) -> np.ndarray:
    """A fold per row: genes by decreasing number of rows, each added to the smallest fold."""
    names, counts = np.unique(genes, return_counts=True)
    sizes, fold_of = np.zeros(folds), {}
    for at in np.argsort(-counts, kind="stable"):
        fold = int(sizes.argmin())
        fold_of[names[at]] = fold
        sizes[fold] += counts[at]
    return np.array([fold_of[gene] for gene in genes])


def _line_across_genes(rows: Rows, column: np.ndarray) -> np.ndarray:
    fold, y = gene_folds(rows["gene"]), rows["pk"]
    out = np.empty(len(y))
    for held in np.unique(fold):
        slope, level = np.polyfit(column[fold != held], y[fold != held], 1)
        out[fold == held] = slope * column[fold == held] + level
    return out


def by_stratum(rows: Rows, half: np.ndarray, column: str, edges: Sequence[float]) -> list[dict]:
    """Figures per bin of a column with STRATUM_MIN rows; half: half-width of each interval."""
    answer, stratum = [], np.digitize(rows[column], edges)
    for at in range(len(edges) + 1):
        of = np.flatnonzero(stratum == at)
        if len(of) < STRATUM_MIN:
            continue
        y, predicted = rows["pk"][of], rows["predicted"][of]
        answer.append(
            {
                "range": _range(edges, at),
                "compounds": len(of),
                "rmse": round(rmse(y, predicted), 3),
                "bias": round(float(np.mean(predicted - y)), 3),
                "halfWidth": round(float(half[of].mean()), 3),
                "coverage": round(coverage(y, predicted, half[of]), 3),
            }
        )
    return answer


def _range(edges: Sequence[float], at: int) -> str:
    if at == 0:
        return f"below {edges[0]:g}"
    return f"{edges[at - 1]:g} and more" if at == len(edges) else f"{edges[at - 1]:g} to {edges[at]:g}"


def _line(name: str, of: dict) -> str:
    covered = "" if of["coverage"] is None else f"{of['coverage']:.1%}"
    return (
        f"| {name} | {of['rmse']:.3f} | {of['macro_rmse']:.3f} | {of['r']:.2f} | {of['tau']:.3f} "
        f"| {of['bias']:+.2f} | {covered} |"
    )


def _column(values: list[str]) -> np.ndarray:
    try:
        return np.array([float(value) for value in values])
    except ValueError:
        return np.array(values)
