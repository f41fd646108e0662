"""Each part learns a learnable rule, and never sees hidden labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from affinity_model.checkpoint import load_model, save_model
from affinity_model.data import Features, Pairs
from affinity_model.evaluate import (
    REGIMES,
    Experiment,
    describe_fold,
    describe_measured,
    make_fold,
    score_fold,
    split_rows,
)
from affinity_model.fit import PARTS, fit, fit_kernels, predict, predict_boosted, prepare
from affinity_model.golden import compounds_of, targets_of
from affinity_model.measured import COLUMNS
from affinity_model.neighbours import folded_fingerprints, target_similarities
from affinity_model.network import Lesson, predict_network, train_network
from affinity_model.settings import Settings


@pytest.fixture(scope="module")
def prepared(features: Features, pairs: Pairs, settings: Settings):
    return prepare(features, pairs, settings)


def eight(pairs: Pairs) -> Pairs:
    chosen = pairs.take(np.flatnonzero(~pairs.is_below)[::70][:8])
    return replace(chosen, groups=chosen.groups * 0)


def test_network_memorises_eight_pairs(
    prepared, features: Features, pairs: Pairs, settings: Settings
) -> None:
    """A model that cannot memorise eight pairs cannot learn eight thousand."""
    _, inputs = prepared
    few = eight(pairs)
    eager = replace(settings, epochs=300, null_share=0.0, weight_decay=0.0)
    network, mean, deviation = train_network(
        Lesson(inputs.compound_network, inputs.target_network, 1, few), eager
    )
    shown = predict_network(
        network, inputs.compound_network, inputs.target_network, (few.compound, few.target)
    )
    assert np.abs(shown * deviation + mean - few.y).max() < 0.1


def test_kernel_memorises_eight_pairs(prepared, features: Features, pairs: Pairs, settings: Settings) -> None:
    _, inputs = prepared
    few = eight(pairs)
    eager = replace(settings, kernel_noise=1e-4, kernel_iterations=200, kernel_cut_share=0.0)
    full, _ = fit_kernels(inputs, few, eager)
    rows = (few.compound, few.target.astype(np.int64) * features.variants)
    shown = full.predict(inputs.compound_kernel, inputs.target_kernel, rows, eager)
    assert np.abs(shown - few.y).max() < 0.05


def test_an_upper_bound_lowers_only_predictions_above_it(
    prepared, features: Features, pairs: Pairs, settings: Settings
) -> None:
    _, inputs = prepared
    few = eight(pairs)
    bounded = replace(
        few,
        is_below=np.arange(8) < 2,
        y=np.where(np.arange(8) == 0, few.y + 5, np.where(np.arange(8) == 1, few.y - 3, few.y)).astype(
            np.float32
        ),
    )
    eager = replace(settings, kernel_noise=1e-3, kernel_iterations=200, kernel_rounds=4, kernel_cut_share=0.0)
    full, _ = fit_kernels(inputs, bounded, eager)
    rows = (bounded.compound, bounded.target.astype(np.int64) * features.variants)
    shown = full.predict(inputs.compound_kernel, inputs.target_kernel, rows, eager)
    assert shown[0] < bounded.y[0] - 1
    assert shown[1] < bounded.y[1] + 0.2


def test_both_new_shares_neither_scaffold_nor_target(pairs: Pairs) -> None:
    train, test = split_rows(pairs, "both", 2)
    assert not set(pairs.folds[train, 1]) & set(pairs.folds[test, 1])
    assert not set(pairs.folds[train, 2]) & set(pairs.folds[test, 2])


@pytest.mark.parametrize("regime", REGIMES)
def test_train_and_test_rows_do_not_overlap(pairs: Pairs, regime: str) -> None:
    train, test = split_rows(pairs, regime, 1)
    assert len(test) > 0 and not set(train) & set(test)


def test_test_labels_cannot_leak(prepared, features: Features, pairs: Pairs, settings: Settings) -> None:
    """With noise for test labels, every prediction stays as it was."""
    model, inputs = prepared
    _, test = split_rows(pairs, "target", 1)
    noisy = pairs.take(np.arange(len(pairs)))
    noisy.y[test] = np.random.default_rng(1).normal(20, 5, len(test))
    quick = replace(settings, epochs=1, kernel_iterations=5)
    similarities = target_similarities(features)
    fingerprints = folded_fingerprints(features, np.arange(len(features.compound_ids)))

    def score(given: Pairs) -> dict[str, np.ndarray]:
        experiment = Experiment(quick, given, model, inputs, similarities, fingerprints)
        fold = make_fold(given, "target", 1)
        numbers = describe_fold(experiment, fold) | describe_measured(experiment, fold)
        for part in PARTS:
            numbers |= score_fold(experiment, fold, part)
        return numbers

    honest, blinded = score(pairs), score(noisy)
    assert not np.array_equal(honest.pop("y"), blinded.pop("y"))
    assert {"additive", "kernel", "networks_ligand", "boosted_pair", "target_similarity", "measured"} < set(
        honest
    )
    for name, numbers in honest.items():
        np.testing.assert_array_equal(numbers, blinded[name])


def test_same_seed_same_model(prepared, features: Features, pairs: Pairs, settings: Settings) -> None:
    model, inputs = prepared
    quick = replace(settings, epochs=1, kernel_iterations=5)
    once, again = (fit(model, inputs, pairs, quick) for _ in range(2))
    rows = (pairs.compound, pairs.target.astype(np.int64) * features.variants)
    for first, second in zip(predict(once, inputs, *rows), predict(again, inputs, *rows)):
        np.testing.assert_array_equal(first, second)
    for first, second in zip(predict_boosted(once, inputs, *rows), predict_boosted(again, inputs, *rows)):
        np.testing.assert_array_equal(first, second)
    assert torch.equal(once.kernel_weights, again.kernel_weights)


def test_a_saved_model_predicts_the_same(
    prepared, features: Features, pairs: Pairs, settings: Settings, tmp_path: Path
) -> None:
    """From plain weights, without pickled classes."""
    model = fit(prepared[0], prepared[1], pairs, replace(settings, epochs=1, kernel_iterations=5, members=2))
    save_model(model, tmp_path / "model.pt")
    again = load_model(tmp_path / "model.pt")
    assert again.settings == model.settings
    assert again.state_dict().keys() == model.state_dict().keys()
    compound, target = np.arange(8), np.arange(8)
    nothing = torch.ones(8), torch.ones(8), torch.zeros(8, COLUMNS)
    with torch.no_grad():
        first, second = (
            of.pair(
                of.encode_compounds(*compounds_of(features, compound)),
                of.encode_targets(*targets_of(features, target)),
                *nothing,
            )
            for of in (model, again)
        )
    assert torch.equal(first, second) and first.std() > 0


def test_a_model_without_trees_raises_an_error(prepared, features: Features, pairs, settings) -> None:
    model = fit(prepared[0], prepared[1], pairs, replace(settings, kernel_iterations=5), ["kernel"])
    with pytest.raises(ValueError, match="trees of this model are not trained"):
        model.encode_compounds(*compounds_of(features, np.arange(2)))
