"""The shipped trees predict what LightGBM predicts, and learn from exact rows only."""

from dataclasses import replace

import lightgbm
import numpy as np
import pytest
import torch

from affinity_model.boosting import BINS, fit_compound_trees, fit_pair_trees, trees_of
from affinity_model.fit import prepare


@pytest.fixture(scope="module")
def inputs(features, pairs, settings):
    return prepare(features, pairs, settings)[1]


def ask(trees, inputs) -> np.ndarray:
    with torch.no_grad():
        return trees(torch.from_numpy(inputs.toarray())).numpy()


def test_trees_predict_what_lightgbm_predicts() -> None:
    random = np.random.default_rng(11)
    seen = np.where(random.random((900, 30)) < 0.5, 0, random.normal(0, 50, (900, 30))).astype(np.float32)
    labels = seen[:, 3] * (seen[:, 7] > 0) + random.normal(size=900)
    parameters = {"num_leaves": 15, "feature_fraction": 0.5, "num_threads": 1, "verbose": -1}
    known = lightgbm.Dataset(seen, labels, params=BINS)
    grown = [lightgbm.train(parameters | {"seed": seed}, known, 40) for seed in (1, 2)]
    # Feature 0 of the boosters is input 2, and so on.
    trees = trees_of([forest.dump_model()["tree_info"] for forest in grown], np.arange(2, 32), 5.0)
    shown = np.concatenate([np.ones((900, 2), np.float32), seen], 1)
    with torch.no_grad():
        numbers = trees(torch.from_numpy(shown)).numpy()
    first, second = (np.asarray(forest.predict(seen)) for forest in grown)
    assert not np.allclose(first, second)
    np.testing.assert_allclose(numbers, (first + second) / 2 + 5.0, rtol=1e-4, atol=1e-3)


def test_compound_trees_memorise_eight_compounds(inputs, pairs, settings) -> None:
    eight = pairs.take(np.flatnonzero(~pairs.is_below)[::70][:8])
    eager = replace(settings, boosting_rounds=1500, boosting_leaf_compounds=1, boosting_bit_min=1)
    shown = ask(fit_compound_trees(inputs.compound_trees, eight, eager), inputs.compound_trees)
    assert np.abs(shown[eight.compound] - eight.y).max() < 0.1


def test_pair_trees_learn_what_pairs_have_in_common(inputs, features, pairs, settings) -> None:
    exact = pairs.take(np.flatnonzero(~pairs.is_below))
    views = inputs.pair_trees_compound, inputs.pair_trees_target
    trees = fit_pair_trees(*views, features.variants, exact, replace(settings, boosting_pair_rounds=200))
    shown = torch.from_numpy(exact.target.astype(np.int64) * features.variants)
    seen = torch.cat([views[0][torch.from_numpy(exact.compound).long()], views[1][shown]], 1)
    with torch.no_grad():
        error = trees(seen).numpy() - exact.y
    assert np.sqrt(np.mean(error**2)) < 0.7 * exact.y.std()


def test_trees_ignore_upper_bounds(inputs, features, pairs, settings) -> None:
    lowered = replace(pairs, y=np.where(pairs.is_below, 2.0, pairs.y).astype(np.float32))
    views = inputs.pair_trees_compound, inputs.pair_trees_target
    for grow in (
        lambda given: fit_compound_trees(inputs.compound_trees, given, settings),
        lambda given: fit_pair_trees(*views, features.variants, given, settings),
    ):
        for name, tensor in grow(pairs).state_dict().items():
            assert torch.equal(tensor, grow(lowered).state_dict()[name])
