"""Own values shift and narrow the predictions of a series as in the product."""

import numpy as np
import pytest

from affinity_model.own_values import (
    CANDIDATES,
    COUNTS,
    Drawn,
    Series,
    Shares,
    choose,
    draw,
    draw_all,
    example,
    figures_of,
    fit_widths,
    squared_errors,
    update,
)

FINGERPRINTS = Shares(shift=0.3, alike=0.5, shape=0, chance=0.2)


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
    assert answered.nearest == pytest.approx([0.6, 0])
    assert answered.left[0] < answered.left[1] < 1


def test_similar_descriptors_shift_predictions_like_similar_fingerprints() -> None:
    shape = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])
    shares = Shares(shift=0.3, alike=0.3, shape=0.2, chance=0.2)
    answered = update(series_of_three(np.eye(3), shape), np.array([0]), np.array([1, 2]), shares)
    assert answered.predicted == pytest.approx([6 + 2 * 0.4, 6 + 2 * 0.3])


def test_shares_follow_the_errors() -> None:
    shifted = [made_series(shift, seed) for seed, shift in enumerate([2.0, -2.0, 1.5, -1.5])]
    errors = np.stack([squared_errors(shifted, shares) for shares in CANDIDATES])
    chosen = choose(errors, np.full(len(shifted), True))
    assert chosen.shift == max(candidate.shift for candidate in CANDIDATES)


def test_intervals_reach_their_coverage_and_narrow_if_own_values_scatter_little() -> None:
    series = [made_series(0.5, seed, 0.1 if seed % 2 else 0.8) for seed in range(40)]
    drawn = draw_all(series, FINGERPRINTS)
    widths = fit_widths(drawn)
    figures = [figures_of([(one, widths.half(one)) for one in drawn], count) for count in COUNTS]
    for of in figures:
        assert 0.93 <= of["coverage"] <= 0.98
    calm, wild = (
        np.mean([widths.half(one).mean() for one in drawn if one.count == 10 and one.series.seed % 2 == odd])
        for odd in (1, 0)
    )
    assert calm < wild


def test_every_draw_leaves_enough_compounds_to_score() -> None:
    series = made_series(0, 0)
    assert draw(series, 20, FINGERPRINTS) == []
    assert all(isinstance(one, Drawn) and len(one.rest) == 14 for one in draw(series, 10, FINGERPRINTS))


def test_the_example_for_the_product_is_complete() -> None:
    series = [made_series(0.5, seed) for seed in range(6)]
    worked = example(FINGERPRINTS, fit_widths(draw_all(series, FINGERPRINTS)))
    assert len(worked["compounds"]) == len(worked["measured"]) + len(worked["updated"])
