"""The settings of the shipped model on the public benchmarks Davis and KIBA; prints rows for `training/BENCHMARKS.md`.

PYTHONPATH=training python3 -m affinity_model.benchmarks --tables DIR [--work .cache/benchmarks]

Each split is fitted on its own visible labels alone: landmarks, scales of descriptors, directions, regression and kriging.
There is no level, because levels are fitted on other tables.
"""

import argparse
import dataclasses
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .fitted import fit
from .model import Doubles, Settings, TargetKernel, compound_features
from .near import NearSettings
from .retrain import ROOT, run_node
from .tables import KINDS, Compounds, Floats, Rows, Targets, read, read_compounds

Mask = npt.NDArray[np.bool_]
# Pairs to learn from, and pairs to score.
Split = tuple[Mask, Mask]
FOLDS = 5
# Title, and columns of the labels and the sequences.
TABLES = {"davis": ("Davis", "pKd", "sequence_mutated"), "kiba": ("KIBA", "kiba_score", "sequence")}
DAVIS_ALONE = ("the same fold, values above the floor alone", "new gene")


@dataclass
class Benchmark:
    """One table; `pairs`: its columns and those of its cold splits, in the order of `rows`."""

    compounds: Compounds
    targets: Targets
    rows: Rows
    pairs: list[dict[str, str]]


def read_benchmark(folder: Path, compounds: Compounds) -> Benchmark:
    """Davis' labels at the floor of the assay count as values. Entries with equal sequences are one target."""
    _, label, sequence = TABLES[folder.name]
    row_of = {
        row["drug_id"]: compounds.row_of.get(row["smiles_canonical"], -1)
        for row in read(folder / "drugs.tsv.gz")
    }
    sequence_of = {row["target_id"]: row[sequence] for row in read(folder / "targets.tsv.gz")}
    sequences = sorted(set(sequence_of.values()))
    place_of = {target: sequences.index(one) for target, one in sequence_of.items()}
    found = zip(read(folder / "pairs.tsv.gz"), read(folder / "cold_splits.tsv.gz"), strict=True)
    # The product refuses one drug of KIBA.
    pairs = [pair | split for pair, split in found if row_of[pair["drug_id"]] >= 0]
    count = len(pairs)
    rows = Rows(
        np.array([row_of[row["drug_id"]] for row in pairs], np.int64),
        np.array([place_of[row["target_id"]] for row in pairs], np.int64),
        np.full(count, KINDS.index("Kd"), np.int64),
        np.array([float(row[label]) for row in pairs], np.float32),
        np.full(count, -1, np.int64),
        np.zeros(count, np.bool_),
        np.zeros(count, np.int64),
        [("Kd", folder.name)],
    )
    return Benchmark(compounds, Targets(sequences, sequences, sequences, place_of), rows, pairs)


def splits(of: Benchmark) -> dict[str, list[Split]]:
    """By task; `fully_blind` of the tables is not used, since it holds out other targets than `protein_cold`."""

    def held_out(member: str) -> list[Mask]:
        columns = [f"{member}_cold_{number}" for number in range(1, FOLDS + 1)]
        return [np.array([pair[column] == "e" for pair in of.pairs]) for column in columns]

    drugs, targets = held_out("drug"), held_out("protein")
    is_test = np.array([pair["fold"] == "test" for pair in of.pairs])
    is_above = of.rows.y > of.rows.y[~is_test].min()
    # All mutants, domains and states of a gene are in one fold; `ABL1(F317I)p` is a mutant of ABL1 as well.
    genes = [pair["target_id"].partition("(")[0].removesuffix("p") for pair in of.pairs]
    names, gene = np.unique(genes, return_inverse=True)
    fold = np.random.default_rng(0).permutation(np.arange(len(names)) % FOLDS)[gene]
    return {
        "standard test fold": [(~is_test, is_test)],
        "the same fold, values above the floor alone": [(~is_test, is_test & is_above)],
        "new target": [(~held, held) for held in targets],
        "new gene": [(fold != at, fold == at) for at in range(FOLDS)],
        "new drug": [(~held, held) for held in drugs],
        # Pairs with one held-out member are neither learnt nor scored.
        "both new": [(~one & ~other, one & other) for one, other in zip(drugs, targets, strict=True)],
    }


def predict(of: Benchmark, split: Split, settings: Settings) -> Doubles:
    """Numbers for the scored pairs, within the range of the labels learnt from.

    A target without labels is predicted as the product predicts a chain: as the target that shares half its 4-mers.
    """
    learnt, scored = split
    rows = of.rows.of(learnt)
    seen, rows.target = np.unique(rows.target, return_inverse=True)
    sequences = [of.targets.sequences[target] for target in seen]
    targets = Targets(sequences, sequences, sequences, {one: at for at, one in enumerate(sequences)})
    drugs = np.unique(rows.compound)
    capped = dataclasses.replace(settings, landmarks=min(settings.landmarks, len(drugs)))
    kernel = TargetKernel(targets, capped.directions)
    features = compound_features(of.compounds, drugs, capped)
    model = fit(of.compounds, targets, kernel, features, rows, NearSettings())
    compound, target = of.rows.compound[scored], of.rows.target[scored]
    predicted, unknown = np.empty(len(target)), np.zeros(len(target), np.float32)
    for one in np.unique(target):
        mine = np.flatnonzero(target == one)
        some, none, sequence = compound[mine], unknown[mine], of.targets.sequences[one]
        place = targets.place_of.get(sequence)
        if place is None:
            predicted[mine] = model.predict([sequence], some, none, "", "").raw
        else:
            predicted[mine] = model.predict_as_uploaded(place, some, none).raw
    return predicted.clip(float(rows.y.min()), float(rows.y.max()))


def concordance(y: Floats, predicted: Doubles) -> float:
    """The share of pairs of different labels that are in order; a tie of predictions counts half."""
    agreeing, pairs, lower = 0.0, 0, predicted[:0]
    for label in np.unique(y):
        these = predicted[y == label]
        agreeing += float(sum(np.searchsorted(lower, these, side).sum() for side in ("left", "right"))) / 2
        pairs += len(lower) * len(these)
        lower = np.sort(np.concatenate([lower, these]), kind="stable")
    return agreeing / pairs


def result(of: Benchmark, some: list[Split], settings: Settings) -> str:
    """Mean squared error / concordance, each as mean ± standard deviation over the splits."""
    errors, orders = [], []
    for split in some:
        y, predicted = of.rows.y[split[1]], predict(of, split, settings)
        errors.append(float(np.mean((y - predicted) ** 2)))
        orders.append(concordance(y, predicted))
    return " / ".join(
        f"{np.mean(scores):.4f}" + (f" ± {np.std(scores, ddof=1):.4f}" if len(scores) > 1 else "")
        for scores in (errors, orders)
    )


def main() -> None:
    """The command."""
    asked = argparse.ArgumentParser(prog="benchmarks", description="The shipped settings on Davis and KIBA.")
    asked.add_argument(
        "--tables", type=Path, required=True, help="the folder of tables; see training/TABLES.md"
    )
    asked.add_argument("--work", type=Path, default=Path(".cache/benchmarks"))
    chosen = asked.parse_args()
    named = [word for name in TABLES for word in ("--table", f"{name}/drugs.tsv.gz=smiles_canonical")]
    features, script = chosen.work.resolve() / "features", ROOT / "training/export/features.ts"
    run_node([str(script), "--data", str(chosen.tables.resolve()), "--out", str(features), *named])
    compounds = read_compounds(features)
    for name, (title, *_) in TABLES.items():
        table = read_benchmark(chosen.tables / name, compounds)
        for task, some in splits(table).items():
            # KIBA has neither a floor nor mutants.
            if name == "davis" or task not in DAVIS_ALONE:
                began = time.time()
                row = result(table, some, Settings())
                print(f"| {title}, {task} | {row} | {(time.time() - began) / 60:.1f} |", flush=True)


if __name__ == "__main__":
    main()
