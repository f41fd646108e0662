"""Scores the final prediction, next to its base model, on folds of the general table: first its inputs, then the
scores.

python3 -m affinity_model general-folds --tables <folder> [--folds random-0 target-1 ...]
python3 -m affinity_model general-folds --score [--folds ...] [--model models/current]

Base-model predictions come from `train --only evaluation`; gating, correction and widths are fitted on the other
kinds of these rows. Kernel, pooled trees and analogues are refitted for each fold without its rows, and the inputs
of its rows are written as a table. If proteins are left out, each compound is also predicted for another protein of
the fold: a decoy. `--score` applies the final stage of a model folder to these rows and writes the scores into its
card.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from .calibrate import cross_fitted
from .card import finish_card
from .card_text import FINAL, general_fold_lines
from .data import Pairs, load_features, load_general, read_general
from .evaluate import FOLD_NAMES, load_rows, make_fold
from .final_stage import (
    SAME_TARGET_FROM,
    UNKNOWN_FOLDS,
    Stage,
    base_share,
    read_stage,
    write_rows,
)
from .folders import Work, options
from .gating import Rows, take
from .measured import SIMILARITIES, TARGET_COUNT
from .metrics import coverage, kendall, pearson, rmse
from .neighbours import target_similarities
from .outside import load_rows as load_table
from .regimes import numbers_of, only
from .settings import Settings, read_settings
from .wide_data import Wide, load_wide
from .wide_parts import WideParts, fit_wide_parts

FOLDS = ("random-0", "scaffold-0", *UNKNOWN_FOLDS)
# Containment of a decoy in the protein it replaces is below this.
UNRELATED_BELOW = 0.1
# Kendall's tau of fewer compounds is mostly noise.
COMPOUNDS_MIN = 7

# Columns that change with the protein.
DECOY_NAMES = "kernel", "analogues", "wide_similarity"
MIXED, BASE, LINE, DECOY = FINAL, "base model", "linear stage alone", "linear stage, on a decoy"


def main(words: Sequence[str]) -> None:
    """The command."""
    arguments = options(__doc__)
    what = arguments.add_mutually_exclusive_group(required=True)
    what.add_argument("--tables", type=Path)
    what.add_argument("--score", action="store_true")
    arguments.add_argument("--folds", nargs="+", choices=FOLD_NAMES, default=FOLDS)
    asked = arguments.parse_args(words)
    if asked.score:
        stage = read_stage(asked.model / "final-stage.json")
        found = {
            name: score_fold(load_table(asked.work.folds / f"{name}.tsv"), stage) for name in asked.folds
        }
        finish_card(asked.model, {"generalFolds": found}, [])
        print("\n".join(general_fold_lines(found)))
    else:
        write_folds(asked.tables, asked.work, asked.folds)


def write_folds(tables: Path, work: Work, folds: Sequence[str]) -> None:
    """Writes a table of rows per fold; about three minutes per fold on one core."""
    settings = read_settings(work.settings)
    torch.set_num_threads(settings.threads)
    rows = base_rows(work.evaluation, settings, folds)
    general = load_general(read_general(tables), load_features(work.features))
    wide = load_wide(tables, work)
    work.folds.mkdir(parents=True, exist_ok=True)
    for name in folds:
        regime, number = name.split("-")
        of_fold = take(rows, (rows["regime"] == regime) & (rows["fold"] == int(number)))
        test = make_fold(general, regime, int(number)).test
        parts = fit_wide_parts(only(wide, ~hidden(wide, test, regime)), settings)
        placed = of_fold | {"compound": wide.of_general[test.compound]}
        write_rows(work.folds / f"{name}.tsv", what_is_known(wide, parts, placed))
        print(f"{name}: {len(test):,} rows", flush=True)


def base_rows(evaluation: Path, settings: Settings, folds: Sequence[str]) -> Rows:
    """Base-model predictions and known values per row, with gating, correction and widths fitted without its kind."""
    rows = load_rows(evaluation, settings.kernel_share, folds)
    [(predicted, widths)] = cross_fitted(rows)
    is_known = rows["target_similarity"] >= SAME_TARGET_FROM
    return {
        **{name: rows[name] for name in ("regime", "fold", "compound", "target")},
        "pk": rows["y"],
        "compound_similarity": rows["compound_similarity"],
        "base": predicted,
        "base_half_width": widths[0],
        "base_labels": is_known * rows["measured"][:, TARGET_COUNT].ravel(),
        "base_similarity": is_known * rows["measured"][:, SIMILARITIES].max(1),
    }


def hidden(wide: Wide, test: Pairs, regime: str) -> np.ndarray:
    """Per pair of `wide`, whether it would leak the fold: the same pair, any of its compounds, or any of its proteins."""
    stands, pairs = wide.stands, wide.pairs
    asked = wide.of_general[test.compound]
    of_compounds = np.isin(pairs.compound, asked)
    of_targets = np.isin(stands[pairs.target], stands[test.target])
    if regime == "random":
        count = len(stands)
        return np.isin(pairs.compound * count + stands[pairs.target], asked * count + stands[test.target])
    return {"scaffold": of_compounds, "both": of_compounds | of_targets}.get(regime, of_targets)


def what_is_known(wide: Wide, parts: WideParts, rows: Rows) -> Rows:
    """All inputs of the final stage per row; if the rows' proteins are unknown, for each decoy as well.

    rows: with `compound` as row of `wide.features`.
    """
    known = rows | numbers_of(parts, wide, rows["compound"], rows["target"])
    known["labels_on_target"] = np.maximum(known["labels"], rows["base_labels"])
    known["similarity_on_target"] = np.maximum(known["wide_similarity"], rows["base_similarity"])
    if known["labels_on_target"].max() > 0:
        return known
    swapped = decoys(wide, rows["target"], np.random.default_rng(0))
    on_decoys = numbers_of(parts, wide, rows["compound"], swapped)
    return known | {f"decoy_{name}": on_decoys[name] for name in DECOY_NAMES}


def score_fold(rows: Rows, stage: Stage) -> dict[str, dict]:
    """Scores of each predictor on the rows from `what_is_known`."""
    line = stage.line.of(rows)
    share = base_share(rows, stage.shares)
    mixed = share * rows["base"] + (1 - share) * line
    found = {
        MIXED: scored(rows, mixed) | {"coverage": coverage(rows["pk"], mixed, stage.half_width(rows))},
        BASE: scored(rows, rows["base"])
        | {"coverage": coverage(rows["pk"], rows["base"], rows["base_half_width"])},
        LINE: scored(rows, line),
    }
    if "decoy_kernel" in rows:
        on_decoys = rows | {name: rows[f"decoy_{name}"] for name in DECOY_NAMES}
        elsewhere = stage.line.of(on_decoys)
        found[DECOY] = scored(rows, elsewhere) | {"moved": float(np.median(np.abs(elsewhere - line)))}
    return {name: {key: round(float(v), 3) for key, v in of.items()} for name, of in found.items()}


def decoys(wide: Wide, target: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """For each protein another one, drawn from those unrelated to it; itself if there is none."""
    proteins = np.unique(target)
    unrelated = target_similarities(wide.features)[np.ix_(proteins, proteins)] < UNRELATED_BELOW
    drawn = {
        protein: int(random.choice(proteins[far])) if far.any() else int(protein)
        for protein, far in zip(proteins, unrelated)
    }
    return np.array([drawn[protein] for protein in target])


def scored(rows: Rows, predicted: np.ndarray) -> dict[str, float]:
    """Pooled figures, and Kendall's tau inside a protein."""
    members = [np.flatnonzero(rows["target"] == target) for target in np.unique(rows["target"])]
    ranked = [
        kendall(rows["pk"][of], predicted[of])
        for of in members
        if len(of) >= COMPOUNDS_MIN and np.ptp(rows["pk"][of]) > 0
    ]
    return {
        "compounds": len(predicted),
        "rmse": rmse(rows["pk"], predicted),
        "r": pearson(rows["pk"], predicted),
        "bias": float(np.mean(predicted - rows["pk"])),
        "tau": float(np.mean(ranked)) if ranked else 0.0,
    }
