"""Gating and intervals follow out-of-fold errors and never use their own rows."""

import numpy as np
import pytest

from affinity_model.calibrate import LEVEL, cross_fitted, fit_half_widths, half_widths_of
from affinity_model.correction import cross_corrected
from affinity_model.gating import (
    COLD_BELOW,
    COLD_SHARES,
    blend,
    choose_shift_rows,
    fit_gating,
    moments_of_folds,
    solve,
    total_of,
)
from affinity_model.measured import NEAREST
from affinity_model.model import COMPOUND_KNOTS, CORRECTION_KNOTS, NUMBERS, TARGET_KNOTS

COUNT = 12_000


@pytest.fixture(scope="module")
def rows() -> dict[str, np.ndarray]:
    """The protein-aware number is right for known targets and noise for unknown ones."""
    random = np.random.default_rng(5)
    similarity = random.random(COUNT)
    similarity[similarity > 0.6] = 1
    y = random.normal(6, 1.3, COUNT)
    is_cold = similarity < 0.3
    labels = y[:, None] + random.normal(0, 0.3, (COUNT, NEAREST))
    near = np.sort(random.random((COUNT, NEAREST)))[:, ::-1]
    of_target = np.stack([labels.mean(1), labels.std(1), random.normal(6, 1, COUNT), np.full(COUNT, 50.0)], 1)
    return {
        "measured": np.concatenate([labels, near, of_target], 1).astype(np.float32),
        "y": y,
        "full": y + random.normal(0, np.where(is_cold, 2.5, 0.5)),
        "ligand": y + random.normal(0, 1.2, COUNT),
        "boosted": y + random.normal(0, 1.2, COUNT),
        "boosted_pair": y + random.normal(0, 1.2, COUNT),
        "target_similarity": np.where(is_cold, similarity * 0.3, similarity),
        "compound_similarity": random.random(COUNT),
        "regime": np.where(is_cold, "target", "random"),
        "target_fold": random.integers(0, 5, COUNT),
        "compound": random.integers(0, 3000, COUNT),
        "target": random.integers(0, 300, COUNT),
    }


def test_the_protein_counts_if_it_helps(rows) -> None:
    _, ligand, boosted, _, full = fit_gating(rows).mean(1).T  # target knots each
    assert min(ligand[0], boosted[0]) > full[0]
    assert full[-1] > 3 * max(ligand[-1], boosted[-1])


def test_unknown_families_keep_their_initial_shares(rows) -> None:
    """However good the prediction is on the visible families."""
    flattered = dict(rows, full=rows["y"])
    cold = fit_gating(flattered)[np.array(TARGET_KNOTS) < COLD_BELOW][..., 1:]
    shares = [COLD_SHARES[name] for name in NUMBERS]
    np.testing.assert_allclose(cold, np.broadcast_to(shares, cold.shape), atol=0.05)


def test_errors_from_moments_equal_those_from_rows(rows) -> None:
    learnt, asked = moments_of_folds(rows)
    table = solve(total_of(learnt), (1e3, 1e3))
    predicted = blend(rows, table.reshape(len(TARGET_KNOTS), len(COMPOUND_KNOTS), -1))
    for fold, (of_cold,) in zip(np.unique(rows["target_fold"]), asked):
        chosen = (rows["target_fold"] == fold) & (rows["regime"] == "target")
        by_hand = np.mean((predicted - rows["y"])[chosen] ** 2)
        assert of_cold.mean_square(table) == pytest.approx(by_hand, rel=1e-6)


def test_the_strength_of_the_shift_is_chosen_on_left_out_folds(rows) -> None:
    """A bias shared by all families is learnt; one that varies between families is not."""
    sign = np.where(rows["target_fold"] % 2 == 0, 1.0, -1.0)
    shared, changing = (
        choose_shift_rows(*moments_of_folds(dict(rows, y=rows["y"] + bias)))
        for bias in (np.ones(COUNT), sign)
    )
    assert max(shared) < min(changing)


def test_blend_is_better_than_its_parts(rows) -> None:
    error = {name: np.mean((rows[name] - rows["y"]) ** 2) for name in NUMBERS}
    assert np.mean((blend(rows, fit_gating(rows)) - rows["y"]) ** 2) < min(error.values())


def test_intervals_reach_their_coverage_on_other_rows(rows) -> None:
    [(predicted, (widths,))] = cross_fitted(rows)
    for regime in ("random", "target"):
        chosen = rows["regime"] == regime
        covered = np.mean(np.abs(rows["y"] - predicted)[chosen] <= widths[chosen])
        assert covered > LEVEL - 0.015
    assert widths[rows["regime"] == "random"].mean() < widths[rows["regime"] == "target"].mean()


def test_intervals_are_wider_for_rows_with_larger_errors(rows) -> None:
    widths = fit_half_widths(rows, blend(rows, fit_gating(rows)))
    assert (np.diff(widths, axis=0) <= 0).all() and (np.diff(widths, axis=1) <= 0).all()
    assert widths[0].mean() > widths[-1].mean()
    assert half_widths_of(rows, widths).shape == rows["y"].shape


def test_a_row_never_influences_its_own_interval(rows) -> None:
    changed = dict(rows, y=rows["y"].copy())
    own = (rows["regime"] == "target") & (rows["target_fold"] == 2)
    changed["y"][own] += np.random.default_rng(6).normal(0, 9, own.sum())
    for before, after in zip(*cross_fitted(rows), *cross_fitted(changed)):
        np.testing.assert_array_equal(before[..., own], after[..., own])


def test_values_measured_near_a_pair_correct_other_compounds(rows) -> None:
    blended = blend(rows, fit_gating(rows))
    corrected = cross_corrected(rows, blended)
    known = rows["target_similarity"] > CORRECTION_KNOTS[-1]
    before, after = (np.mean((said - rows["y"])[known] ** 2) for said in (blended, corrected))
    assert after < 0.95 * before
    is_unknown = rows["target_similarity"] <= CORRECTION_KNOTS[0]
    np.testing.assert_array_equal(corrected[is_unknown], blended[is_unknown])
