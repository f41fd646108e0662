"""Own values shift and narrow the predictions of a series as in the product."""

import numpy as np
import pytest

from affinity_model.calibrate import Widths
from affinity_model.near import NearSettings
from affinity_model.own_values import (
    COUNTS,
    Drawn,
    Series,
    Shares,
    draw,
    draw_all,
    example,
    fit_factor,
    fit_own_values,
    likeness,
    narrowed,
    shares_of,
    similarity_of,
    update,
)

FINGERPRINTS = Shares(assay=0.3, near=0.5, rest=0, noise=0.2, power=1)


def made_series(shift: float, seed: int, spread: float = 0.2) -> Series:
    random = np.random.default_rng(seed)
    predicted = random.normal(6.5, 0.3, 24)
    y = predicted + shift + random.normal(0, spread, 24)
    size = random.integers(20, 40, 24)
    return Series(seed, seed % 5, y, predicted, np.full(24, 2.0), np.eye(24), np.eye(24), size)


def series_of_three(alike: np.ndarray, shape: np.ndarray) -> Series:
    return Series(0, 0, np.array([8.0, 0, 0]), np.full(3, 6.0), np.full(3, 2.0), alike, shape, np.full(3, 20))


def test_own_values_give_the_product_s_results() -> None:
    similarity = np.array([[1, 0.6, 0], [0.6, 1, 0], [0, 0, 1]])
    series = series_of_three(similarity, np.eye(3))
    answered = update(series, np.array([0]), np.array([1, 2]), FINGERPRINTS)
    assert answered.predicted == pytest.approx([6 + 2 * 0.6, 6 + 2 * 0.3])
    assert answered.left[0] < answered.left[1] < 1


def test_similar_descriptors_shift_predictions_like_similar_fingerprints() -> None:
    shape = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])
    shares = Shares(assay=0.3, near=0.3, rest=0.2, noise=0.2, power=1)
    answered = update(series_of_three(np.eye(3), shape), np.array([0]), np.array([1, 2]), shares)
    assert answered.predicted == pytest.approx([6 + 2 * 0.4, 6 + 2 * 0.3])


def test_the_shares_are_the_variances_of_the_model() -> None:
    widths = Widths(np.ones((6, 5)), np.array([0.9, 0.6, 0.3, 0.5, 0.4, 0.2]))
    shares = shares_of(NearSettings(height=0.8, noise=0.2, power=1.5), widths)
    assay, near, rest, noise = (round(one / 1.81, 3) for one in (0.36, 0.8, 0.45, 0.2))
    assert shares == Shares(assay, near, rest, noise, 1.5)


def test_own_values_give_what_refitting_with_their_rows_gives() -> None:
    """A new assay's offset, one unknown per compound for near and for the rest: ridge of all of them, by their priors."""
    random = np.random.default_rng(3)
    bits, described = (random.random((9, 40)) < 0.4).astype(float), random.normal(0, 1, (9, 7))
    shares = Shares(assay=0.2, near=0.45, rest=0.25, noise=0.1, power=1.5)
    predicted, width, y = (
        random.normal(6, 1, 9),
        random.uniform(1, 2, 9),
        random.normal(7, 1, 9),
    )
    series = Series(0, 0, y, predicted, width, similarity_of(bits), likeness(described), np.full(9, 20))
    own, rest = np.arange(6), np.arange(6, 9)
    roots = [
        np.full((9, 1), np.sqrt(shares.assay)),
        *(
            np.linalg.cholesky(share * kernel + 1e-12 * np.eye(9))
            for share, kernel in ((shares.near, series.alike**shares.power), (shares.rest, series.shape))
        ),
    ]
    columns = np.concatenate(roots, 1)
    system = columns[own].T @ columns[own] + shares.noise * np.eye(columns.shape[1])
    unknowns = np.linalg.solve(system, columns[own].T @ ((y[own] - predicted[own]) / width[own]))
    answered = update(series, own, rest, shares)
    assert answered.predicted == pytest.approx(predicted[rest] + width[rest] * (columns[rest] @ unknowns))
    posterior = shares.noise * np.linalg.inv(system)
    variance = np.einsum("ij,jk,ik->i", columns[rest], posterior, columns[rest]) + shares.noise
    assert answered.left == pytest.approx(variance)


def test_intervals_reach_their_coverage_and_narrow_if_own_values_scatter_little() -> None:
    series = [made_series(0.5, seed, 0.1 if seed % 2 else 0.8) for seed in range(40)]
    drawn = draw_all(series, FINGERPRINTS)
    factor, figures = fit_own_values(series, FINGERPRINTS)
    assert factor == fit_factor(drawn)
    assert [of["count"] for of in figures] == list(COUNTS)
    for of in figures:
        assert 0.92 <= of["coverage"] <= 0.98
    calm, wild = (
        np.mean(
            [narrowed(one, factor).mean() for one in drawn if one.count == 10 and one.series.seed % 2 == odd]
        )
        for odd in (1, 0)
    )
    assert calm < wild


def test_every_draw_leaves_enough_compounds_to_score() -> None:
    series = made_series(0, 0)
    assert draw(series, 20, FINGERPRINTS) == []
    assert all(isinstance(one, Drawn) and len(one.rest) == 14 for one in draw(series, 10, FINGERPRINTS))


def test_the_example_for_the_product_is_complete() -> None:
    series = [made_series(0.5, seed) for seed in range(6)]
    worked = example(FINGERPRINTS, fit_factor(draw_all(series, FINGERPRINTS)))
    assert len(worked["compounds"]) == len(worked["measured"]) + len(worked["updated"])
