"""Scores a model on published series as users meet them, beside what is cheaper than any model.

python3 -m affinity_model.outside --rows .cache/training/series-scores.tsv [--out <file>]

The rows are what `npm run score-series` writes: one for each compound of each series, asked of the product. Scored
are the compounds that do not stand in the model's training data.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from .data import read_tsv
from .metrics import coverage, kendall, pearson, rmse

# Kendall's tau of fewer compounds says next to nothing.
SERIES_MIN = 7
FOLDS = 5
# Upper ends of all strata but the last.
LABEL_EDGES = (1, 10, 30, 100, 300, 1000)
SIMILARITY_EDGES = (0.3, 0.4, 0.55, 0.75)
STRATUM_MIN = 50

STRATA = (
    ("labels on the target", "labels_on_target", LABEL_EDGES),
    ("nearest compound measured on it", "similarity_on_target", SIMILARITY_EDGES),
    ("nearest compound anywhere", "compound_similarity", SIMILARITY_EDGES),
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


def main() -> None:
    """The command: prints the report, and writes it where asked to."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=Path, required=True)
    arguments.add_argument("--out", type=Path)
    asked = arguments.parse_args()
    page = report(load_rows(asked.rows))
    print(page)
    if asked.out:
        asked.out.write_text(page + "\n")


def load_rows(path: Path) -> Rows:
    """Columns of the table; numbers where every value of a column is one."""
    table = read_tsv(path)
    return {name: _column([row[name] for row in table]) for name in table[0]}


def report(rows: Rows) -> str:
    """Tables in Markdown: every predictor, then the model by strata of what was measured near."""
    return "\n".join(tables(figures(rows)))


def figures(rows: Rows) -> dict:
    """All that the tables say, of compounds that the model was not trained on."""
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
    """Lines in Markdown of what `figures` answers."""
    lines = [
        f"{of['compounds']:,} compounds that the model was not trained on, in {of['series']} series.",
        "",
        "| | RMSE | macro RMSE | R | tau inside a series | bias | inside the 95% interval |",
        "|---|---|---|---|---|---|---|",
        *(_line(name, scored) for name, scored in of["predictors"].items()),
    ]
    return lines + strata_tables(of["strata"])


def strata_tables(strata: list[dict]) -> list[str]:
    """Lines in Markdown, an empty one before each table."""
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
    """As it is written into a card."""
    return {name: None if value is None else round(value, 3) for name, value in asdict(scored).items()}


def predictors(rows: Rows) -> dict[str, np.ndarray]:
    """The model and what it is compared with. Lines are fitted to series of other genes."""
    parts = [rows[name] for name in rows if name.startswith("part_")]
    named = {
        MODEL: rows["predicted"],
        **({"its base model": rows["base"]} if "base" in rows else {}),
        "mean of the base model's parts": np.mean(parts, 0),
        "mean of these compounds": np.full(len(rows["pk"]), rows["pk"].mean()),
        "line on heavy atoms": _line_across_genes(rows, rows["heavy_atoms"]),
        "line on logP": _line_across_genes(rows, rows["logp"]),
    }
    return named | {"free-energy perturbation": rows["fep"]} if "fep" in rows else named


def score(rows: Rows, predicted: np.ndarray, half_width: np.ndarray | None = None) -> Score:
    """Macro: the mean over series; tau: the same, of series with SERIES_MIN compounds or more."""
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
    """Rows of each different key."""
    return [np.flatnonzero(keys == key) for key in np.unique(keys)]


def gene_folds(genes: np.ndarray, folds: int = FOLDS) -> np.ndarray:
    """A fold for every row: genes from most to fewest rows, each to the fold with the fewest so far."""
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
    """Figures of each bin of a column that has STRATUM_MIN rows; half: of each interval."""
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


if __name__ == "__main__":
    main()
