"""Benchmarks: what is scored, and that the labels to be predicted are never learnt from."""

import dataclasses
import gzip
from pathlib import Path

import numpy as np
import pytest

from affinity_model.benchmarks import Benchmark, concordance, predict, read_benchmark, splits
from affinity_model.model import Settings
from affinity_model.tables import Compounds

SETTINGS = Settings(directions=3)
DRUGS, GENES, LETTERS = 15, 5, "ACDEFGHIKLMNPQRSTVWY"


def write(file: Path, columns: list[str], rows: list[list[str]]) -> None:
    file.parent.mkdir(exist_ok=True)
    with gzip.open(file, "wt") as out:
        out.writelines("\t".join(line) + "\n" for line in [columns, *rows])


@pytest.fixture
def panel(compounds: Compounds, tmp_path: Path) -> Benchmark:
    """Each gene is a wild type and a mutant; drug 0 and gene 0 are held out in the first split, and so on."""
    random, folder = np.random.default_rng(3), tmp_path / "davis"
    targets = [f"G{gene}{mutant}" for gene in range(GENES) for mutant in ("", "(A9C)p")]
    chains = ["".join(random.choice(list(LETTERS), 90)) for _ in range(GENES)]
    mutated = [chain[:8] + residue + chain[9:] for chain in chains for residue in "AC"]
    drugs = [[f"D{at}", compounds.smiles[at]] for at in range(DRUGS)]
    write(folder / "drugs.tsv.gz", ["drug_id", "smiles_canonical"], drugs)
    write(
        folder / "targets.tsv.gz",
        ["target_id", "sequence_mutated"],
        [list(row) for row in zip(targets, mutated, strict=True)],
    )
    pairs = [(drug, target) for drug in range(DRUGS) for target in range(2 * GENES)]
    write(
        folder / "pairs.tsv.gz",
        ["drug_id", "target_id", "pKd", "relation", "fold"],
        [
            [f"D{drug}", targets[target], f"{max(5, 5 + random.normal()):.3f}", "=", "test" if at % 6 == 0 else "train0"]
            for at, (drug, target) in enumerate(pairs)
        ],
    )  # fmt: skip
    held = [
        ["e" if drug % 5 == at else "r" for at in range(5)]
        + ["e" if target // 2 == at else "r" for at in range(5)]
        for drug, target in pairs
    ]
    columns = [f"{member}_cold_{number}" for member in ("drug", "protein") for number in range(1, 6)]
    write(folder / "cold_splits.tsv.gz", columns, held)
    return read_benchmark(folder, compounds)


def test_concordance_counts_pairs_of_different_labels_and_a_tie_of_predictions_as_half() -> None:
    y = np.array([5, 5, 6, 7], np.float32)
    # Of 5 pairs of different labels three are in order, one is tied, and one is reversed.
    assert concordance(y, np.array([1.0, 3.0, 3.5, 3.0])) == (3 + 0.5) / 5
    random = np.random.default_rng(0)
    y, predicted = random.integers(0, 9, 200).astype(np.float32), random.integers(0, 9, 200).astype(float)
    above, lead = y[:, None] > y, np.sign(predicted[:, None] - predicted)
    assert concordance(y, predicted) == pytest.approx((lead[above] + 1).mean() / 2)
    assert concordance(y, np.zeros(200)) == 0.5


@pytest.mark.parametrize("task", ["standard test fold", "new target", "new gene", "new drug", "both new"])
def test_labels_outside_of_what_is_learnt_from_do_not_move_predictions(panel: Benchmark, task: str) -> None:
    split = splits(panel)[task][0]
    hidden = np.where(split[0], panel.rows.y, np.float32(12))
    changed = dataclasses.replace(panel, rows=dataclasses.replace(panel.rows, y=hidden))
    before, after = (predict(of, split, SETTINGS) for of in (panel, changed))
    assert np.array_equal(before, after)
    assert len(before) == split[1].sum() and np.std(before) > 0
    learnt = np.where(split[0], 11 - panel.rows.y, panel.rows.y)
    moved = dataclasses.replace(panel, rows=dataclasses.replace(panel.rows, y=learnt))
    assert not np.allclose(before, predict(moved, split, SETTINGS))


def test_a_held_out_compound_does_not_move_landmarks_or_scales_of_descriptors(panel: Benchmark) -> None:
    learnt, scored = splits(panel)["new target"][0]
    held_out = panel.rows.compound == 3
    split = learnt & ~held_out, scored & ~held_out
    descriptors = panel.compounds.descriptors.copy()
    descriptors[3] += 100
    changed = dataclasses.replace(
        panel, compounds=dataclasses.replace(panel.compounds, descriptors=descriptors)
    )
    assert np.array_equal(predict(panel, split, SETTINGS), predict(changed, split, SETTINGS))


def test_both_new_scores_only_pairs_whose_drug_and_target_are_unseen(panel: Benchmark) -> None:
    rows = panel.rows
    for learnt, scored in splits(panel)["both new"]:
        assert scored.sum() == DRUGS // 5 * 2
        assert not np.isin(rows.compound[scored], rows.compound[learnt]).any()
        assert not np.isin(rows.target[scored], rows.target[learnt]).any()


def test_mutants_of_a_gene_are_held_out_together(panel: Benchmark) -> None:
    genes = np.array([pair["target_id"][:2] for pair in panel.pairs])
    parts = splits(panel)["new gene"]
    assert sum(scored.sum() for _, scored in parts) == len(genes)
    assert all(not set(genes[learnt]) & set(genes[scored]) for learnt, scored in parts)


def test_an_unseen_mutant_is_predicted_as_its_wild_type(panel: Benchmark) -> None:
    rows, place_of = panel.rows, panel.targets.place_of
    wild, mutant = rows.target == place_of["G0"], rows.target == place_of["G0(A9C)p"]
    as_wild, as_mutant = (predict(panel, (~mutant, some), SETTINGS) for some in (wild, mutant))
    assert np.array_equal(as_wild, as_mutant)
