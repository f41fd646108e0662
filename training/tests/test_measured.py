"""Measured values near a pair match a brute-force search over all labels, also after being written and read."""

import numpy as np
import pytest

from affinity_model.measured import (
    BELOW_BY,
    COLUMNS,
    NEAREST,
    describe,
    gather,
    nearest_known,
    pack,
    tanimoto,
    unpack,
)

TARGETS, COMPOUNDS = 6, 40


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(4)


@pytest.fixture
def labels(random) -> dict[str, np.ndarray]:
    measured = np.argwhere(random.random((COMPOUNDS, TARGETS)) < [0.9, 0.5, 0.4, 0.2, 0.1, 0])
    return {
        "compound": measured[:, 0],
        "target": measured[:, 1],
        "y": np.round(random.uniform(3, 11, len(measured)), 2),
        "is_below": random.random(len(measured)) < 0.2,
    }


@pytest.fixture
def fingerprints(random) -> np.ndarray:
    return random.random((COMPOUNDS, 64)) < 0.3


def test_the_closest_labels_match_brute_force(random, labels, fingerprints) -> None:
    measured = gather(fingerprints, **labels, targets=TARGETS)
    queries = random.random((7, 64)) < 0.3
    query, target = (grid.ravel() for grid in np.mgrid[:7, : TARGETS - 1])
    for row, (q, t) in zip(describe(measured, queries, query, target), zip(query, target)):
        on = labels["target"] == t
        value = labels["y"][on] - BELOW_BY * labels["is_below"][on]
        similar = [
            (queries[q] & fingerprints[c]).sum() / (queries[q] | fingerprints[c]).sum()
            for c in labels["compound"][on]
        ]
        best = np.argsort(-np.array(similar), kind="stable")[:NEAREST]
        np.testing.assert_allclose(row[NEAREST : NEAREST + len(best)], np.array(similar)[best], rtol=1e-6)
        np.testing.assert_allclose(row[: len(best)], value[best], rtol=1e-6)
        np.testing.assert_allclose(row[len(best) : NEAREST], value.mean(), rtol=1e-6)
        assert (row[NEAREST + len(best) : 2 * NEAREST] == 0).all()
        assert row[:NEAREST].min() - 1e-5 <= row[2 * NEAREST] <= row[:NEAREST].max() + 1e-5
        assert row[-2] == pytest.approx(value.mean()) and row[-1] == on.sum()


def test_labels_survive_packing(labels, fingerprints) -> None:
    measured = gather(fingerprints, **labels, targets=TARGETS)
    again = unpack(fingerprints, measured.counts, pack(measured))
    np.testing.assert_array_equal(again.compound, measured.compound)
    np.testing.assert_array_equal(again.starts, measured.starts)
    np.testing.assert_allclose(again.y, measured.y, atol=1e-9)
    np.testing.assert_array_equal(again.is_below, measured.is_below)
    assert 0 < again.is_below.sum() == labels["is_below"].sum()


def test_a_measured_compound_is_its_own_closest_compound(labels, fingerprints) -> None:
    measured = gather(fingerprints, **labels, targets=TARGETS)
    first = int(np.flatnonzero(labels["target"] == 0)[0])
    compound = labels["compound"][[first]]
    row = describe(measured, fingerprints, compound, np.array([0]))[0]
    assert row.shape == (COLUMNS,) and row[NEAREST] == 1
    assert row[0] == pytest.approx(labels["y"][first] - BELOW_BY * labels["is_below"][first])


def test_equally_similar_targets_are_ordered_by_number_of_labels() -> None:
    similarities = np.array([[0.2, 1.0, 1.0, 0.3], [0.9, 0.1, 0.2, 0.9], [1, 1, 1, 1], [0, 0, 0, 1]])
    known, counts = np.array([1, 2, 3]), np.array([5, 9, 1])
    assert nearest_known(similarities, known, counts).tolist() == [2, 3, 2, 3]


def test_tanimoto_by_hand() -> None:
    queries, known = np.array([[True, True, False]]), np.array([[False, True, True], [False, False, False]])
    np.testing.assert_allclose(tanimoto(queries, known), [[1 / 3, 0]])
