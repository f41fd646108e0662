"""Kernels are positive semi-definite, the solver solves, gradients match differences, alignments are right."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from affinity_model.benchmarks.alignment import (
    BLOSUM62,
    LETTERS,
    SEED_DOMAIN,
    UNKNOWN,
    align_to_profile,
    encode,
    pocket_columns,
)
from affinity_model.benchmarks.boosting import CHECKED, LOSSES, BoostSettings, blending_shares, boost
from affinity_model.benchmarks.kernel_mixture import Fold, PairMixture, held_out_error
from affinity_model.benchmarks.neighbours import near_labels
from affinity_model.benchmarks.pair_ridge import PairKernel, Solver
from affinity_model.benchmarks.similarity import column_similarities, cosine, descriptor_similarity, tanimoto
from affinity_model.benchmarks.stages import expect_below_floor, is_floored
from affinity_model.benchmarks.tasks import predict_additive, predict_mean
from affinity_model.metrics import concordance


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(11)


def some_bits(random: np.random.Generator, rows: int = 20) -> sp.csr_matrix:
    return sp.csr_matrix((random.random((rows, 60)) < 0.2).astype(np.float32))


def some_kernel(random: np.random.Generator, size: int) -> torch.Tensor:
    return torch.from_numpy(tanimoto(some_bits(random, size)) + 0.2)


def test_concordance_index_equals_brute_force(random) -> None:
    y, predicted = np.round(random.random(300) * 3, 1), np.round(random.random(300) * 3, 1)
    higher = y[:, None] > y[None]
    agree = (predicted[:, None] > predicted[None]) + 0.5 * (predicted[:, None] == predicted[None])
    assert concordance(y, predicted) == pytest.approx(agree[higher].sum() / higher.sum(), abs=1e-12)


def test_similarities_are_kernels(random) -> None:
    residues = random.integers(0, UNKNOWN + 1, (20, 9))
    matrices = [
        tanimoto(some_bits(random)),
        cosine(some_bits(random)),
        descriptor_similarity(random.normal(size=(20, 5))),
        column_similarities(residues).mean(0),
    ]
    for matrix in matrices:
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
        np.testing.assert_allclose(np.diag(matrix), 1, rtol=1e-6)
        assert np.linalg.eigvalsh(matrix).min() > -1e-5


def test_tanimoto_by_hand() -> None:
    bits = sp.csr_matrix(np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0]], np.float32))
    np.testing.assert_allclose(tanimoto(bits)[:2, :2], [[1, 1 / 3], [1 / 3, 1]], rtol=1e-6)
    assert tanimoto(bits)[2, 2] == pytest.approx(1)


def test_solver_equals_a_dense_solve(random) -> None:
    kernel = PairKernel(some_kernel(random, 7), some_kernel(random, 9), torch.tensor(0.3))
    observed = torch.from_numpy(random.random((7, 9)) < 0.6)
    y = torch.from_numpy(random.normal(size=(7, 9)))
    at = observed.flatten().numpy()
    dense = torch.kron(kernel.drugs, kernel.targets).numpy()[np.ix_(at, at)] + 0.3 * np.eye(at.sum())
    expected = np.linalg.solve(dense, y.flatten().numpy()[at])
    dual = Solver(kernel, observed).solve(y, tolerance=1e-10)
    np.testing.assert_allclose(dual.flatten().numpy()[at], expected, atol=1e-6)
    assert (dual.flatten().numpy()[~at] == 0).all()


def test_gradient_of_the_held_out_error_equals_finite_differences(random) -> None:
    drugs = torch.from_numpy(np.stack([tanimoto(some_bits(random, 8)) for _ in range(2)]))
    targets = torch.from_numpy(np.stack([tanimoto(some_bits(random, 6)) for _ in range(2)]))
    observed = torch.from_numpy(random.random((8, 6)) < 0.7)
    y, prior = torch.from_numpy(random.normal(size=(8, 6))), torch.from_numpy(random.normal(size=(1, 8, 6)))
    fold = Fold(drugs, targets, observed, ~observed, y, y, prior)
    mixture = PairMixture(2, 2, sources=1).double()
    held_out_error(mixture, fold, tolerance=1e-10)
    slopes = {
        name: parameter.grad.flatten()[0].item()
        for name, parameter in mixture.named_parameters()
        if parameter.grad is not None
    }
    for name, parameter in mixture.named_parameters():
        step, errors = 1e-4, []
        for move in (step, -2 * step):
            parameter.data.view(-1)[0] += move
            errors.append(held_out_error(mixture, fold, tolerance=1e-10)[0])
        parameter.data.view(-1)[0] += step
        assert slopes[name] == pytest.approx((errors[0] - errors[1]) / (2 * step), rel=1e-3, abs=1e-7), name


def test_a_label_at_the_floor_is_replaced_by_its_expected_value_below() -> None:
    y = torch.tensor([[5.0, 5.0, 5.0, 7.0, torch.nan]], dtype=torch.float64)
    predicted = torch.tensor([[7.0, 5.0, 3.0, 6.5, torch.nan]], dtype=torch.float64)
    below = expect_below_floor(y, predicted)[0]
    assert 5 > below[0] > below[1] > below[2] == pytest.approx(3, abs=0.01)
    assert below[1] == pytest.approx(5 - 0.5 * (2 / np.pi) ** 0.5)  # mean of half a normal, spread 0.5
    assert below[3] == 7 and below[4].isnan()
    assert is_floored(y) and not is_floored(torch.arange(100.0)[None])


def test_pocket_is_85_residues_of_the_seed_domain() -> None:
    assert len(pocket_columns()) == 85
    assert SEED_DOMAIN[pocket_columns()[-5]] == "D"  # in the DFG motif


def test_alignment_finds_the_domain_and_skips_gaps() -> None:
    profile, gaps = 0.5 * BLOSUM62[encode(SEED_DOMAIN)], np.full(len(SEED_DOMAIN), 5.5, np.float32)
    inserted = "GGSGG" + SEED_DOMAIN[:100] + "PPP" + SEED_DOMAIN[100:180] + SEED_DOMAIN[184:] + "SGS"
    (_, positions), (_, whole) = align_to_profile(profile, gaps, [encode(inserted), encode(SEED_DOMAIN)])
    assert (whole == np.arange(len(SEED_DOMAIN))).all()
    found = positions[positions >= 0]
    assert (np.diff(found) > 0).all()
    same = [inserted[place] == SEED_DOMAIN[column] for column, place in enumerate(positions) if place >= 0]
    assert np.mean(same) > 0.97 and len(same) >= len(SEED_DOMAIN) - 8


def test_letters_outside_the_alphabet_are_unknown() -> None:
    assert encode("AXV").tolist() == [0, UNKNOWN, len(LETTERS) - 1]


def test_baselines_see_visible_labels_only() -> None:
    visible = np.array([[1.0, 2.0, np.nan], [2.0, 3.0, np.nan], [np.nan, np.nan, np.nan]])
    assert (predict_mean(visible) == 2).all()
    additive = predict_additive(visible)
    assert additive[2, 2] == pytest.approx(2) and additive[0, 0] < additive[1, 0] < additive[1, 1]


@pytest.mark.parametrize("loss", LOSSES)
def test_boosting_learns_and_is_reproducible(random, loss) -> None:
    rows = random.normal(size=(400, 4)).astype(np.float32)
    labels, folds = rows[:, 0] + 0.1 * random.normal(size=400), np.arange(400) % 4
    settings = BoostSettings(rounds_max=800, patience=10, seeds=1)
    first, second = (boost(rows, labels, folds, rows, 3, settings, loss) for _ in range(2))
    for one, other in zip(first, second):
        np.testing.assert_array_equal(one, other)
    held_out, everywhere = first
    checked = np.isin(folds, CHECKED)
    assert np.isnan(held_out[~checked]).all()
    assert np.corrcoef(held_out[checked], labels[checked])[0, 1] > 0.8
    assert np.corrcoef(everywhere, labels)[0, 1] > 0.9


def test_shares_fit_held_out_labels_and_are_never_negative(random) -> None:
    labels = random.normal(6, 1, 500)
    good, worse = labels + random.normal(0, 0.1, 500), labels + random.normal(0, 0.3, 500)
    centre, shares = blending_shares(np.stack([good, worse, 12 - labels]), labels)
    assert centre == pytest.approx(labels.mean())
    assert shares[0] == pytest.approx(0.9, abs=0.03) and shares[1] == pytest.approx(0.1, abs=0.03)
    assert shares[2] == 0


def test_neighbour_labels_come_from_the_closest_labelled_rows() -> None:
    similarity = np.array([[1, 0.9, 0.5, 0.1], [0.9, 1, 0.4, 0.2], [0.5, 0.4, 1, 0.3], [0.1, 0.2, 0.3, 1]])
    labels = np.array([[5.0, 9.0], [6.0, 0.0], [7.0, 0.0], [8.0, 0.0]])
    observed = np.array([[True, True], [False, False], [True, False], [True, False]])
    near = near_labels(labels, observed, similarity, 2)
    np.testing.assert_allclose(near[0, 0, :4], [7, 8, 0.5, 0.1])  # not its own 5, not the hidden 6
    np.testing.assert_allclose(near[1, 0, :4], [5, 7, 0.9, 0.4])
    assert near[1, 0, 4] == pytest.approx(5, abs=0.01) and near[1, 0, 6] == 6  # weighted mean, median
    assert np.isnan(near[:, 1]).all()  # a single label could be the row's own


def test_no_hidden_label_changes_a_neighbour_label(random) -> None:
    similarity, observed = some_kernel(random, 12).numpy(), random.random((12, 5)) < 0.6
    labels = random.normal(size=(12, 5))
    noisy = np.where(observed, labels, 99.0)
    for count in (1, 3):
        np.testing.assert_array_equal(
            near_labels(labels, observed, similarity, count), near_labels(noisy, observed, similarity, count)
        )
