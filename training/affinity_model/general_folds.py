"""The number as it is mixed on folds of the general table, beside its base model alone: what it is made of, then scores.

python3 -m affinity_model.general_folds --tables <folder> [--folds random-0 target-1 ...] [--rows <folder>]
python3 -m affinity_model.general_folds --score [--folds ...] [--rows <folder>] [--model models/current]

What the base model says of each row stands in `train --only evaluation`; its gating, correction and widths are fitted on the
other kinds of these rows. Kernel, pooled trees and analogues are fitted anew for each fold, on what it leaves of all tables, and
all that is known of its rows is written as a table. Where proteins are left out, each compound is asked for on another
protein of the fold as well: a decoy. `--score` mixes these rows by the final stage of a model folder, and writes what comes out
into its card.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from .calibrate import cross_fitted
from .card import finish_card
from .card_text import general_fold_lines
from .data import Pairs, load_features, load_general
from .evaluate import FOLD_NAMES, load_rows, make_fold
from .final_stage import SAME_TARGET_FROM, Stack, Stage, base_share, stacked_columns, write_rows
from .gating import Rows, take
from .measured import SIMILARITIES, TARGET_COUNT
from .metrics import coverage, kendall, pearson, rmse
from .neighbours import target_similarities
from .outside import load_rows as load_table
from .regimes import numbers_of, only
from .settings import Settings
from .wide_data import Wide, load_wide, twins_of
from .wide_parts import WideParts, fit_wide_parts

FOLDS = "random-0", "scaffold-0", "target-1", "target-2", "both-1", "both-2"
# A decoy shares less than this with the protein that it stands for.
UNRELATED_BELOW = 0.1
# Kendall's tau of fewer compounds says next to nothing.
COMPOUNDS_MIN = 7

# What changes with the protein.
DECOY_NAMES = "kernel", "analogues", "wide_similarity"
MIXED, BASE, LINE, DECOY = "the number", "its base model", "the line alone", "the line, on a decoy"


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    what = arguments.add_mutually_exclusive_group(required=True)
    what.add_argument("--tables", type=Path)
    what.add_argument("--score", action="store_true")
    arguments.add_argument("--folds", nargs="+", choices=FOLD_NAMES, default=FOLDS)
    arguments.add_argument("--general", type=Path, default=Path(".cache/training/features"))
    arguments.add_argument("--outside", type=Path, default=Path(".cache/training/outside-features"))
    arguments.add_argument("--evaluation", type=Path, default=Path(".cache/training/run/evaluation"))
    arguments.add_argument("--rows", type=Path, default=Path(".cache/training/general-folds"))
    arguments.add_argument("--model", type=Path, default=Path("models/current"))
    asked = arguments.parse_args()
    if asked.score:
        stage = read_stage(asked.model / "final-stage.json")
        found = {name: score_fold(load_table(asked.rows / f"{name}.tsv"), stage) for name in asked.folds}
        finish_card(asked.model, {"generalFolds": found}, [])
        print("\n".join(general_fold_lines(found)))
    else:
        write_folds(asked)


def write_folds(asked: argparse.Namespace) -> None:
    """A table of rows for each fold; one takes some three minutes of a core."""
    settings = Settings()
    torch.set_num_threads(settings.threads)
    rows = base_rows(asked.evaluation, settings, asked.folds)
    general = load_general(asked.tables, load_features(asked.general))
    wide = load_wide(asked.tables, asked.general, asked.outside)
    asked.rows.mkdir(parents=True, exist_ok=True)
    for name in asked.folds:
        regime, number = name.split("-")
        of_fold = take(rows, (rows["regime"] == regime) & (rows["fold"] == int(number)))
        test = make_fold(general, regime, int(number)).test
        parts = fit_wide_parts(only(wide, ~hidden(wide, test, regime)), settings)
        placed = of_fold | {"compound": wide.of_general[test.compound]}
        write_rows(asked.rows / f"{name}.tsv", what_is_known(wide, parts, placed))
        print(f"{name}: {len(test):,} rows", flush=True)


def read_stage(path: Path) -> Stage:
    """What `final_stage` wrote."""
    read = json.loads(path.read_text())
    stack = read["stack"]
    ordered = (stack[name] for name in ("constant", "heavyAtoms", "logp", "pooled", "analogues", "kernel"))
    widths = read["calibration"]["halfWidths"]
    return Stage(Stack(*ordered), np.array(read["base"]["shares"]), np.array(list(widths.values())))


def base_rows(evaluation: Path, settings: Settings, folds: list[str]) -> Rows:
    """Of each row what the base model says, by a gating, a correction and widths that never saw its kind, and what it knows."""
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
    """Of each pair of `wide` whether it would tell of the fold: the same pair, all of its compounds, or of its proteins."""
    stands, pairs = twins_of(target_similarities(wide.features)), wide.pairs
    asked = wide.of_general[test.compound]
    of_compounds = np.isin(pairs.compound, asked)
    of_targets = np.isin(stands[pairs.target], stands[test.target])
    if regime == "random":
        count = len(stands)
        return np.isin(pairs.compound * count + stands[pairs.target], asked * count + stands[test.target])
    return {"scaffold": of_compounds, "both": of_compounds | of_targets}.get(regime, of_targets)


def what_is_known(wide: Wide, parts: WideParts, rows: Rows) -> Rows:
    """All that the final stage hears of each row; where no protein of the rows is known, of each decoy, too.

    rows: with `compound` as places in `wide.features`."""
    known = rows | numbers_of(parts, wide, rows["compound"], rows["target"])
    known["labels_on_target"] = np.maximum(known["labels"], rows["base_labels"])
    known["similarity_on_target"] = np.maximum(known["wide_similarity"], rows["base_similarity"])
    if known["labels_on_target"].max() > 0:
        return known
    swapped = decoys(wide, rows["target"], np.random.default_rng(0))
    on_decoys = numbers_of(parts, wide, rows["compound"], swapped)
    return known | {f"decoy_{name}": on_decoys[name] for name in DECOY_NAMES}


def score_fold(rows: Rows, stage: Stage) -> dict[str, dict]:
    """What each predictor scores on the rows, as `what_is_known` answers them."""
    line = stage.stack.of(stacked_columns(rows))
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
        elsewhere = stage.stack.of(stacked_columns(on_decoys))
        found[DECOY] = scored(rows, elsewhere) | {"moved": float(np.median(np.abs(elsewhere - line)))}
    return {name: {key: round(float(v), 3) for key, v in of.items()} for name, of in found.items()}


def decoys(wide: Wide, target: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """For each protein another of these, drawn among those that it is not related to; itself where there is none."""
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


if __name__ == "__main__":
    main()
