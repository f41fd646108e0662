"""Levels and intervals."""

import numpy as np

from affinity_model.calibrate import Predicted, fit_level, fit_widths, level_columns
from affinity_model.score import Scored, kendall, summary, without_size


def predicted(count: int = 4000) -> Predicted:
    random = np.random.default_rng(0)
    values = random.choice([0, 5, 40, 200, 2000], count).astype(float)
    similarity = random.random(count)
    raw = 6 + random.normal(size=count)
    heavy = random.integers(15, 45, count).astype(float)
    series = random.integers(0, 100, count).astype(str)
    rows = Predicted(
        raw,
        np.full(count, 0.5),
        values,
        similarity,
        heavy,
        raw,
        np.arange(count),
        np.full(count, False),
        series,
        series,
    )
    truth = level_columns(rows) @ np.array([0.4, 1.0, 0.4, 0.9, 0.2, 0.0, -0.2, 0.1])
    rows.y = raw + truth + 0.8 * random.normal(size=count)
    return rows


def test_a_level_that_is_there_is_found() -> None:
    rows = predicted()
    level = fit_level(rows)
    assert abs(np.mean(level.apply(rows) - rows.y)) < 0.05
    assert abs(level.numbers[-2] + 0.2) < 0.1


def test_a_compound_that_was_measured_on_the_target_is_not_moved() -> None:
    rows = predicted()
    known = rows.similarity >= 0.9
    assert np.array_equal(fit_level(rows).apply(rows)[known], rows.raw[known])


def test_intervals_contain_95_percent_of_new_rows_in_every_bin_of_values() -> None:
    rows, new = predicted(), predicted(6000)
    level = fit_level(rows)
    half = fit_widths(rows, level.apply(rows)).half(new)
    inside = np.abs(new.y - level.apply(new)) <= half
    for values in np.unique(new.values):
        assert abs(inside[new.values == values].mean() - 0.95) < 0.02


def test_tau_counts_ties_in_the_prediction_as_nothing() -> None:
    y = np.array([1.0, 2.0, 3.0])
    assert kendall(y, y) == 1
    assert kendall(y, -y) == -1
    assert kendall(y, np.ones(3)) == 0


def test_beyond_size_nothing_is_left_of_a_line_on_heavy_atoms() -> None:
    size = np.array([20.0, 25, 30, 35, 40, 22, 28])
    assert np.abs(without_size(0.1 * size + 3, size)).max() < 1e-9
    scored = summary([Scored(size / 10, size / 10, size)])
    assert scored["tau"] == 1


def test_a_compound_that_was_measured_on_another_target_is_not_moved() -> None:
    rows = predicted()
    rows.is_known = np.arange(len(rows.y)) % 2 == 0
    moved = fit_level(rows).apply(rows) != rows.raw
    assert not moved[rows.is_known].any()
    assert moved[~rows.is_known & (rows.similarity < 0.9)].all()
