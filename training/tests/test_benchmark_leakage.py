"""No test label leaks into a prediction: noise in their place changes nothing, in any task."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from affinity_model.benchmarks import external, predictors, tasks
from affinity_model.benchmarks.alignment import SEED_DOMAIN
from affinity_model.benchmarks.boosting import BoostSettings
from affinity_model.benchmarks.external import Source
from affinity_model.benchmarks.inputs import Inputs
from affinity_model.benchmarks.leakage import largest_move, write_with_noise
from affinity_model.benchmarks.splits import (
    cold_splits,
    gene_splits,
    inner_folds,
    standard_split,
    visible_labels,
)
from affinity_model.benchmarks.stages import StageSettings
from affinity_model.benchmarks.tables import COLD_SPLITS, LABEL, Table, load_table
from affinity_model.benchmarks.tasks import TASKS, measure
from affinity_model.data import Features, read_tsv

DRUGS, TARGETS, OTHERS = 24, 15, 12


@pytest.fixture(scope="module")
def table() -> Table:
    random = np.random.default_rng(5)
    labels = 6 + random.normal(size=(DRUGS, 1)) + random.normal(size=(1, TARGETS))
    labels = np.maximum(labels, 5.5)  # a floor, as in Davis
    labels[random.random(labels.shape) < 0.1] = np.nan
    return Table(
        name="davis",
        drug_ids=[f"d{row}" for row in range(DRUGS)],
        target_ids=[f"t{row}" for row in range(TARGETS)],
        sequences=["A"] * TARGETS,
        labels=labels,
        is_test=(random.random(labels.shape) < 0.2) & ~np.isnan(labels),
        cold_drugs=np.arange(DRUGS) % COLD_SPLITS == np.arange(COLD_SPLITS)[:, None],
        cold_targets=np.arange(TARGETS) % COLD_SPLITS == np.arange(COLD_SPLITS)[:, None],
    )


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    random = np.random.default_rng(6)
    drugs, targets = alike(random, DRUGS), alike(random, TARGETS)
    return Inputs(drugs, targets, none(DRUGS), (source(random, drugs, targets),))


def source(random: np.random.Generator, drugs: torch.Tensor, targets: torch.Tensor) -> Source:
    """Another source with other compounds, twice as many as there are drugs."""
    labels = torch.from_numpy(random.normal(size=(3 * DRUGS, TARGETS)))
    labels[:DRUGS] = torch.nan
    return Source("other", Inputs(alike(random, 3 * DRUGS), targets, none(3 * DRUGS)), labels)


def none(compounds: int) -> torch.Tensor:
    return torch.zeros(0, compounds, TARGETS, dtype=torch.float64)


def alike(random: np.random.Generator, size: int) -> torch.Tensor:
    places = torch.from_numpy(random.normal(size=(2, size, 3)))
    return torch.exp(-(torch.cdist(places, places) ** 2))


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    settings = StageSettings(stages=3, folds=3, steps=4, later_steps=2), BoostSettings(rounds_max=20, seeds=1)
    monkeypatch.setattr(predictors, "settings_for", lambda visible: settings)
    monkeypatch.setattr(external, "SETTINGS", StageSettings(stages=1, folds=3, steps=2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Davis, KIBA and the merged table as files; the merged one repeats Davis labels and adds other compounds."""
    out, random = tmp_path_factory.mktemp("tables"), np.random.default_rng(8)
    letters = np.array(list(SEED_DOMAIN))
    sequences = ["".join(random.permutation(letters[:20])) + SEED_DOMAIN[20 + at :] for at in range(TARGETS)]
    for name in ("davis", "kiba"):
        drugs, targets = [f"d{row}" for row in range(DRUGS)], [f"t{row}" for row in range(TARGETS)]
        write(out / f"{name}/drugs.tsv.gz", [{"drug_id": drug} for drug in drugs])
        both = [{"sequence": sequence, "sequence_mutated": sequence} for sequence in sequences]
        write(out / f"{name}/targets.tsv.gz", [{"target_id": t, **of} for t, of in zip(targets, both)])
        pairs = [(d, t) for d in range(DRUGS) for t in range(TARGETS) if random.random() < 0.9]
        labels = np.maximum(random.normal(6, 1, len(pairs)), 5.5)
        folds = np.where(random.random(len(pairs)) < 0.2, "test", "train")
        write(out / f"{name}/pairs.tsv.gz", [
            {"drug_id": drugs[d], "target_id": targets[t], LABEL[name]: label, "fold": fold}
            for (d, t), label, fold in zip(pairs, labels, folds)
        ])  # fmt: skip
        write(out / f"{name}/cold_splits.tsv.gz", [
            {
                f"{kind}_cold_{split + 1}": "e" if place % COLD_SPLITS == split else "r"
                for kind, place in (("drug", d), ("protein", t)) for split in range(COLD_SPLITS)
            }
            for d, t in pairs
        ])  # fmt: skip
    write(
        out / "general/targets.tsv.gz",
        [{"target_id": f"T{row}", "sequence": sequence} for row, sequence in enumerate(sequences)],
    )
    rows = [
        (f"c{row}", f"T{random.integers(TARGETS)}", random.normal(7, 1), "=", types, sources, "")
        for row in range(OTHERS)
        for types, sources in (("Ki", "metz"), ("Kd", "bindingdb"), ("Kd", "bindingdb|davis"))
    ]
    columns = ("drug_id", "target_id", "pK", "relation", "types", "sources", "flags")
    write(out / "general/pairs.tsv.gz", [dict(zip(columns, row)) for row in rows])
    return out


@pytest.fixture(scope="module")
def exported(features: Features) -> Features:
    """The synthetic features, under the tables' names."""
    names = [f"{name}:d{row}" for name in ("davis", "kiba") for row in range(DRUGS)]
    targets = [f"{name}:t{row}" for name in ("davis", "kiba") for row in range(TARGETS)]
    return replace(
        features,
        compound_ids=[*names, *(f"c{row}" for row in range(OTHERS))],
        target_ids=targets,
        variants=1,
    )


def write(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt") as file:
        file.writelines("\t".join(map(str, row)) + "\n" for row in [rows[0], *(row.values() for row in rows)])


@pytest.mark.parametrize("name", TASKS)
def test_noise_for_test_labels_on_disk_changes_no_prediction(name: str, folder, exported) -> None:
    assert largest_move(TASKS[name], folder, exported) == 0


def test_a_leak_through_other_inputs_is_detected(monkeypatch, folder, exported) -> None:
    """Inputs that know all labels, as a careless drug similarity could."""
    honest = tasks.load_inputs

    def careless(*arguments):
        table, inputs = honest(*arguments)
        filled = torch.nan_to_num(torch.from_numpy(table.labels), nan=6.0)
        alike = torch.corrcoef(filled)[None]
        return table, replace(inputs, drugs=torch.cat([inputs.drugs, alike]))

    monkeypatch.setattr(tasks, "load_inputs", careless)
    assert largest_move(TASKS["davis"], folder, exported) > 1e-3


@pytest.mark.parametrize("name", TASKS)
def test_a_visible_label_changes_predictions(name: str, table, inputs) -> None:
    task = TASKS[name]
    split = task.splits(table)[0]
    visible = visible_labels(table, split)
    moved = visible.copy()
    moved[tuple(np.argwhere(~np.isnan(visible))[0])] += 2
    first, second = (task.predictor(inputs, labels, split.novelty, 0) for labels in (visible, moved))
    assert np.abs(first - second).max() > 1e-3


def test_noise_replaces_every_hidden_label_and_no_other(folder, tmp_path: Path) -> None:
    table = load_table(folder, "davis")
    for split in [*standard_split(table), *cold_splits(table, "both")]:
        out = tmp_path / f"{split.novelty}-{split.number}"
        write_with_noise(folder, table, split, out)
        noisy = load_table(out, "davis")
        changed, measured = noisy.labels != table.labels, ~np.isnan(table.labels)
        np.testing.assert_array_equal(changed & measured, split.hidden & measured)
        np.testing.assert_array_equal(np.isnan(noisy.labels), ~measured)
        before, after = (read_tsv(of / "general/pairs.tsv.gz") for of in (folder, out))
        for row, altered in zip(before, after, strict=True):
            assert (row["pK"] != altered["pK"]) == ("davis" in row["sources"])


@pytest.mark.parametrize("novelty", ["drug", "target", "both"])
def test_scored_pairs_are_as_new_as_their_split_says(table, novelty: str) -> None:
    for split in cold_splits(table, novelty):
        seen = ~np.isnan(visible_labels(table, split))
        drug, target = np.nonzero(split.scored)
        assert novelty == "target" or not seen[drug].any()
        assert novelty == "drug" or not seen[:, target].any()
        assert not (split.scored & ~split.hidden).any() and split.scored.any()


@pytest.mark.parametrize("novelty", ["pair", "drug", "target", "both"])
def test_inner_folds_hold_out_visible_labels_of_the_same_novelty(table, novelty: str) -> None:
    split = standard_split(table)[0] if novelty == "pair" else cold_splits(table, novelty)[0]
    visible = visible_labels(table, split)
    for observed, held_out in inner_folds(visible, novelty, 3, seed=0):
        assert held_out.any() and not (observed & held_out).any()
        assert not np.isnan(visible[observed | held_out]).any()
        if novelty in ("drug", "both"):
            assert not (observed.any(1) & held_out.any(1)).any()
        if novelty in ("target", "both"):
            assert not (observed.any(0) & held_out.any(0)).any()


def test_mutants_and_states_of_a_gene_are_held_out_together(table) -> None:
    names = ["ABL1", "ABL1p", "ABL1(T315I)", "ABL1(T315I)p", "CDK2"] + [
        f"G{row}" for row in range(TARGETS - 5)
    ]
    splits = gene_splits(replace(table, target_ids=names))
    held = np.array([split.hidden[0] for split in splits])
    assert (held.sum(0) == 1).all()
    assert (held[:, 1:4] == held[:, :1]).all()


def test_a_result_lists_every_run_and_its_baselines(table, inputs) -> None:
    *_, result = measure(TASKS["davis-new-drug"], table, inputs)
    assert len(result["runs"]) == len(result["mean"]) == len(result["additive"]) == COLD_SPLITS
