"""Metrics match brute force; similarities match their definition."""

import numpy as np
import pytest
import torch

from affinity_model import metrics
from affinity_model.metrics import concordance, coverage, pearson, rmse
from affinity_model.model import TARGET_KNOTS, knot_weights
from affinity_model.neighbours import nearest_compound, target_similarities


def brute_force(y: np.ndarray, predicted: np.ndarray) -> float:
    agreeing, pairs = 0.0, 0
    for i in range(len(y)):
        for j in range(len(y)):
            if y[i] > y[j]:
                pairs += 1
                agreeing += float(predicted[i] > predicted[j]) + 0.5 * float(predicted[i] == predicted[j])
    return agreeing / pairs


@pytest.mark.parametrize("block", [1, 7, 1024])
def test_concordance_counts_every_pair(monkeypatch, block: int) -> None:
    monkeypatch.setattr(metrics, "BLOCK", block)
    random = np.random.default_rng(3)
    y = random.integers(0, 12, 150).astype(float)
    predicted = np.round(y + random.normal(0, 4, 150), 0)
    assert concordance(y, predicted) == pytest.approx(brute_force(y, predicted))


def test_concordance_of_perfect_and_reversed_predictions() -> None:
    assert concordance(np.array([1, 2, 3]), np.array([1, 2, 3])) == 1
    assert concordance(np.array([1, 2, 3]), np.array([3, 2, 1])) == 0
    assert concordance(np.array([1, 2, 3]), np.array([1, 1, 1])) == 0.5


def test_simple_metrics_by_hand() -> None:
    y, predicted = np.array([5.0, 6.0, 8.0]), np.array([5.0, 7.0, 6.0])
    assert rmse(y, predicted) == pytest.approx(np.sqrt(5 / 3))
    assert coverage(y, predicted, 1.5) == pytest.approx(2 / 3)
    assert pearson(y, y * 2 + 1) == pytest.approx(1)
    assert pearson(y, np.ones(3)) == 0


def test_the_closest_compound_has_the_highest_tanimoto() -> None:
    random = np.random.default_rng(4)
    queries, known = random.random((5, 64)) < 0.3, random.random((40, 64)) < 0.3
    expected = [max((q & k).sum() / (q | k).sum() for k in known) for q in queries]
    np.testing.assert_allclose(nearest_compound(queries, known), expected, rtol=1e-6)


def test_a_target_is_fully_contained_in_itself(features) -> None:
    similarities = target_similarities(features)
    np.testing.assert_allclose(np.diag(similarities), 1)
    assert similarities.max() <= 1


def test_interpolation_weights_sum_to_one() -> None:
    shares = knot_weights(torch.tensor([-1.0, 0.0, 0.03, 0.15, 0.7, 2.0]), torch.tensor(TARGET_KNOTS))
    np.testing.assert_allclose(shares.sum(1).numpy(), 1, rtol=1e-6)
    assert shares[0, 0] == 1 and shares[-1, -1] == 1
