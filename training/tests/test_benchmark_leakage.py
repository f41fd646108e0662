"""No test label reaches a prediction: noise in their place moves nothing, in any task."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from benchmarks import predictors
from benchmarks.boosting import BoostSettings
from benchmarks.external import Source
from benchmarks.inputs import Inputs
from benchmarks.leakage import largest_move, with_noise
from benchmarks.splits import cold_splits, gene_splits, inner_folds, standard_split, visible_labels
from benchmarks.stages import StageSettings
from benchmarks.tables import COLD_SPLITS, Table
from benchmarks.tasks import TASKS, measure

DRUGS, TARGETS = 24, 15


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
    """Another source that measured other compounds, twice as many as there are drugs."""
    labels = torch.from_numpy(random.normal(size=(3 * DRUGS, TARGETS)))
    labels[:DRUGS] = torch.nan
    return Source("other", Inputs(alike(random, 3 * DRUGS), targets, none(3 * DRUGS)), labels)


def none(compounds: int) -> torch.Tensor:
    return torch.zeros(0, compounds, TARGETS, dtype=torch.float64)


def alike(random: np.random.Generator, size: int) -> torch.Tensor:
    places = torch.from_numpy(random.normal(size=(2, size, 3)))
    return torch.exp(-torch.cdist(places, places) ** 2)


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    settings = StageSettings(stages=3, folds=3, steps=4, later_steps=2), BoostSettings(rounds_max=20, seeds=1)
    monkeypatch.setattr(predictors, "settings_for", lambda visible: settings)


@pytest.mark.parametrize("name", TASKS)
def test_noise_for_test_labels_moves_no_prediction(name: str, table, inputs) -> None:
    assert largest_move(TASKS[name], table, inputs) == 0


@pytest.mark.parametrize("name", TASKS)
def test_a_visible_label_does_move_predictions(name: str, table, inputs) -> None:
    task = TASKS[name]
    split = task.splits(table)[0]
    visible = visible_labels(table, split)
    moved = visible.copy()
    moved[tuple(np.argwhere(~np.isnan(visible))[0])] += 2
    first, second = (task.predictor(inputs, labels, split.novelty, 0) for labels in (visible, moved))
    assert np.abs(first - second).max() > 1e-3


def test_noise_stands_in_every_hidden_label_and_nowhere_else(table) -> None:
    for split in [*standard_split(table), *cold_splits(table, "both")]:
        changed = with_noise(table, split).labels != table.labels
        np.testing.assert_array_equal(changed & ~np.isnan(table.labels), split.hidden & ~np.isnan(table.labels))


@pytest.mark.parametrize("novelty", ["drug", "target", "both"])
def test_what_is_scored_is_as_new_as_it_says(table, novelty: str) -> None:
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
    names = ["ABL1", "ABL1p", "ABL1(T315I)", "ABL1(T315I)p", "CDK2"] + [f"G{row}" for row in range(TARGETS - 5)]
    splits = gene_splits(replace(table, target_ids=names))
    held = np.array([split.hidden[0] for split in splits])
    assert (held.sum(0) == 1).all()
    assert (held[:, 1:4] == held[:, :1]).all()


def test_a_measurement_names_every_run_and_its_baselines(table, inputs) -> None:
    *_, result = measure(TASKS["davis-new-drug"], table, inputs)
    assert len(result["runs"]) == len(result["mean"]) == len(result["additive"]) == COLD_SPLITS
