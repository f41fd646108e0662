"""The regression and its kriging are what their equations say."""

import dataclasses

import numpy as np
import pytest

from affinity_model.fitted import fit
from affinity_model.model import (
    Settings,
    TargetKernel,
    compound_features,
    fit_ridge,
    tanimoto,
    tanimoto_of_packed,
)
from affinity_model.near import NearSettings, krige, measured_of
from affinity_model.tables import Compounds, Rows, Targets, folded, words_of

SETTINGS = Settings(landmarks=20, directions=3, shared=1, by_protein=2, own=1, kind=1)


def dense_solution(rows: Rows, phi: np.ndarray, psi: np.ndarray, settings: Settings) -> np.ndarray:
    """Predictions of the rows by the normal equations of all unknowns at once, offsets included."""
    width, count = phi.shape[1], psi.shape[0]
    design = []
    for compound, target, kind in zip(rows.compound, rows.target, rows.kind, strict=True):
        own = np.zeros((count, width))
        own[target] = settings.own * phi[compound]
        kinds = np.zeros(4)
        kinds[kind] = settings.kind
        protein = settings.by_protein * np.outer(psi[target], phi[compound])
        design.append(np.concatenate([settings.shared * phi[compound], protein.ravel(), own.ravel(), kinds]))
    a = np.array(design)
    weight = np.where(rows.kind == 3, settings.mixed_weight, 1)[:, None]
    weighted = a * weight
    y = (rows.y - rows.y.mean()) * weight[:, 0]
    x = np.linalg.solve(weighted.T @ weighted + np.eye(a.shape[1]), weighted.T @ y)
    return rows.y.mean() + a @ x


def test_conjugate_gradients_find_the_closed_form_of_the_ridge(
    compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    exact = rows.of(~rows.is_bound)
    features = compound_features(compounds, np.unique(exact.compound), SETTINGS)
    kernel = TargetKernel(targets, SETTINGS.directions)
    ridge = fit_ridge(exact, features.phi, kernel.psi, len(targets), SETTINGS)
    wanted = dense_solution(exact, features.phi.astype(float), kernel.psi.astype(float), SETTINGS)
    assert np.abs(exact.y - ridge.residual - wanted).max() < 0.01
    assert np.std(ridge.residual) > 0.05


def test_another_order_of_the_rows_gives_the_same_weights(
    compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    features = compound_features(compounds, np.unique(rows.compound), SETTINGS)
    kernel = TargetKernel(targets, SETTINGS.directions)
    # Another order of the rows is another order of all sums, as on another processor.
    shuffled = rows.of(np.random.default_rng(5).permutation(len(rows)))
    one, other = (
        fit_ridge(of, features.phi, kernel.psi, len(targets), SETTINGS).weights for of in (rows, shuffled)
    )
    assert np.abs(one - other).max() < 0.001 * np.abs(one).max()


def test_a_regression_that_cannot_be_solved_is_refused(
    compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    features = compound_features(compounds, np.unique(rows.compound), SETTINGS)
    kernel = TargetKernel(targets, SETTINGS.directions)
    broken = dataclasses.replace(rows, y=np.full_like(rows.y, np.nan))
    with pytest.raises(RuntimeError, match="not solved"):
        fit_ridge(broken, features.phi, kernel.psi, len(targets), SETTINGS)


def test_an_upper_bound_is_not_learnt_from(compounds: Compounds, targets: Targets, rows: Rows) -> None:
    features = compound_features(compounds, np.unique(rows.compound), SETTINGS)
    kernel = TargetKernel(targets, SETTINGS.directions)
    changed = dataclasses.replace(rows, y=np.where(rows.is_bound, rows.y - 3, rows.y))
    one, other = (fit_ridge(of, features.phi, kernel.psi, len(targets), SETTINGS) for of in (rows, changed))
    assert np.array_equal(one.weights, other.weights)


def test_nystroem_features_reproduce_similarities_between_landmarks(compounds: Compounds) -> None:
    features = compound_features(compounds, np.arange(len(compounds)), SETTINGS)
    landmarks = features.phi[features.landmarks, : SETTINGS.landmarks]
    blocks = [compounds.blocks[at][features.landmarks] for at in SETTINGS.blocks]
    wanted = sum(tanimoto(block, block) for block in blocks) / len(blocks)
    assert np.abs(landmarks @ landmarks.T - wanted).max() < 0.01


def test_a_protein_that_equals_a_target_gets_its_directions(targets: Targets) -> None:
    kernel = TargetKernel(targets, 4)
    psi = kernel.directions_of(kernel.similarities([targets.sequences[2]]))
    assert np.allclose(psi, kernel.psi[2], atol=1e-4)
    place, share = kernel.nearest([targets.sequences[2][20:80]])
    assert (place, share) == (2, 1.0)
    assert kernel.nearest(["GGGG"]) == (-1, 0.0)


def test_words_bridge_no_gap_and_contain_no_unknown_residue() -> None:
    assert words_of(["ACDEF", "GHIK"]) == {"ACDE", "CDEF", "GHIK"}
    assert words_of(["ACDXEFG"]) == set()


def test_kriging_is_the_posterior_of_a_gaussian_process(
    compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    related = TargetKernel(targets, 4).kernel
    residual = np.random.default_rng(3).normal(size=len(rows)).astype(np.float32)
    measured = measured_of(rows, residual, 4, 60)
    some = np.arange(5)
    settings = NearSettings(neighbours=300, compounds=60, similar_from=0)
    mean, variance, similarity = krige(compounds, related, measured, 1, some, settings)

    def covariance(one: np.ndarray, of: np.ndarray, other: np.ndarray, on: np.ndarray) -> np.ndarray:
        alike = tanimoto_of_packed(compounds.prints[one], compounds.prints[other])
        relation = settings.unrelated + (1 - settings.unrelated) * related[np.ix_(of, on)]
        return settings.height * alike**settings.power * relation

    k = covariance(some, np.full(5, 1), measured.compound, measured.target)
    among = covariance(measured.compound, measured.target, measured.compound, measured.target)
    system = among + settings.noise * np.eye(len(among))
    assert len(among) == (~rows.is_bound).sum()
    assert np.allclose(mean, k @ np.linalg.solve(system, measured.residual), atol=1e-4)
    explained = np.einsum("ij,ji->i", k, np.linalg.solve(system, k.T))
    assert np.allclose(variance, settings.height - explained, atol=1e-4)
    own = measured.compound[measured.on(1)]
    assert np.allclose(similarity, tanimoto_of_packed(compounds.prints[some], compounds.prints[own]).max(1))


def test_only_similar_compounds_count_on_other_targets(
    compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    related = TargetKernel(targets, 4).kernel
    measured = measured_of(rows, np.ones(len(rows), np.float32), 4, 60)
    some = np.arange(3)
    # Nothing is measured on the last target.
    near = krige(compounds, related, measured, 3, some, NearSettings(similar_from=2))
    assert [one.tolist() for one in near] == [[0] * 3, [0.8] * 3, [0] * 3]
    mean, variance, similarity = krige(compounds, related, measured, 3, some, NearSettings(similar_from=0))
    assert (mean > 0).all() and (variance < 0.8).all() and (similarity == 0).all()


def test_folding_keeps_the_block_as_it_was(compounds: Compounds) -> None:
    before = compounds.blocks[1].toarray()
    out = folded(compounds.blocks[1], 64).toarray()
    assert np.array_equal(compounds.blocks[1].toarray(), before)
    assert np.array_equal(out, ((before[:, :64] + before[:, 64:]) > 0).astype(np.float32))


def test_a_fitted_model_predicts_a_known_target_better_than_its_mean(
    compounds: Compounds, targets: Targets, rows: Rows
) -> None:
    kernel = TargetKernel(targets, SETTINGS.directions)
    features = compound_features(compounds, np.unique(rows.compound), SETTINGS)
    test = np.arange(len(rows)) % 5 == 1
    model = fit(compounds, targets, kernel, features, rows.of(~test), NearSettings())
    scored = rows.of(test & ~rows.is_bound & (rows.target == 0))
    predicted = model.predict([targets.sequences[0]], scored.compound, scored.y, "", "").raw
    assert np.mean((predicted - scored.y) ** 2) < np.var(scored.y)
