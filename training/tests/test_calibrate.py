"""Levels and intervals."""

import dataclasses

import numpy as np

from affinity_model.calibrate import Predicted, fit_level, fit_widths, level_columns
from affinity_model.fitted import together
from affinity_model.near import NearSettings
from affinity_model.score import Scored, kendall, summary, without_size


def predicted(count: int = 4000) -> Predicted:
    random = np.random.default_rng(0)
    values = random.choice([0, 5, 40, 200, 2000], count).astype(float)
    similarity = random.random(count)
    variance = NearSettings.height * (1 - similarity**2)
    raw = 6 + random.normal(size=count)
    heavy = random.integers(15, 45, count).astype(float)
    series = random.integers(0, 100, count).astype(str)
    rows = Predicted(
        raw,
        variance,
        values,
        similarity,
        heavy,
        raw,
        np.arange(count),
        np.full(count, False),
        series,
        series,
    )
    truth = level_columns(rows) @ np.array([0.4, 0.9, 0.0, -0.2])
    rows.y = raw + truth + 0.8 * random.normal(size=count)
    return rows


def test_a_level_that_is_there_is_found() -> None:
    rows = predicted()
    level = fit_level(rows)
    assert abs(np.mean(level.apply(rows) - rows.y)) < 0.05
    assert abs(level.numbers[-1] + 0.2) < 0.1


def test_other_rows_weigh_as_much_as_the_series_however_many_they_are() -> None:
    series, others = predicted(2000), predicted(8000)
    series.y, others.y = series.raw + 1, others.raw - 1
    both = together([series, others])
    moved = fit_level(series, others).apply(both) - both.raw
    new = both.similarity < 0.5
    assert abs(moved[new].mean()) < 0.1


def test_rows_that_weigh_nothing_do_not_widen_intervals() -> None:
    rows, wild = predicted(), predicted()
    wild.y = wild.y + 5
    weight = np.r_[np.ones(len(rows.y)), np.zeros(len(wild.y))]
    both = together([rows, wild])
    alone = fit_widths(rows, rows.raw, np.ones(len(rows.y)))
    assert np.allclose(fit_widths(both, both.raw, weight).half(rows), alone.half(rows))


def test_a_fragment_is_not_moved() -> None:
    rows = predicted()
    rows.heavy_atoms[:9] = 12
    moved = fit_level(rows).apply(rows) != rows.raw
    assert not moved[:9].any()
    assert moved[9:].all()


def test_a_pair_that_values_leave_half_as_uncertain_is_moved_half_as_much() -> None:
    rows = predicted()
    level = fit_level(rows)
    whole, half, known = (
        dataclasses.replace(rows, variance=np.full(len(rows.y), one)) for one in (0.8, 0.4, 0)
    )
    assert np.allclose(2 * (level.apply(half) - rows.raw), level.apply(whole) - rows.raw)
    assert np.array_equal(level.apply(known), rows.raw)


def test_intervals_contain_95_percent_of_new_rows_in_every_bin_of_values() -> None:
    rows, new = predicted(), predicted(6000)
    level = fit_level(rows)
    half = fit_widths(rows, level.apply(rows), np.ones(len(rows.y))).half(new)
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
    assert moved[~rows.is_known].all()
