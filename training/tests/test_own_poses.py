"""Own values on top of the structure-adjusted number: the weights come from other genes, and only posed rows count."""

import numpy as np

from affinity_model.own_poses import adjustment, line, with_poses
from affinity_model.own_values import Series, Shares, draw

GENES, COMPOUNDS = 10, 12


def test_rows_without_a_pose_are_left_out_and_features_follow_the_rows() -> None:
    rows = {"system": np.array(["S", "S", "T"]), "name": np.array(["a", "b", "a"]), "pk": np.arange(3.0)}
    poses = [
        {"system": "T", "name": "a", "mean": "3", "similarity": "0.3"},
        {"system": "S", "name": "b", "mean": "2", "similarity": "0.2"},
    ]
    posed, features = with_poses(rows, poses)
    assert posed["pk"].tolist() == [1, 2]
    assert features.tolist() == [[2, 0.2], [3, 0.3]]


def test_weights_are_found_across_genes_and_move_a_series_around_its_mean() -> None:
    random = np.random.default_rng(1)
    count = GENES * COMPOUNDS
    features = random.normal(0, 1, (count, 2)) + 5
    gene = np.repeat([f"G{at}" for at in range(GENES)], COMPOUNDS)
    level = np.repeat(random.normal(0, 1, GENES), COMPOUNDS)
    pk = 6 + level + features @ [0.2, 0.5] + random.normal(0, 0.01, count)
    moved = adjustment({"gene": gene, "system": gene, "pk": pk, "predicted": np.full(count, 6.0)}, features)
    centred = features - np.repeat(features.reshape(GENES, COMPOUNDS, 2).mean(1), COMPOUNDS, axis=0)
    assert np.allclose(moved, centred @ [0.2, 0.5], atol=0.05)
    assert np.allclose(moved.reshape(GENES, COMPOUNDS).mean(1), 0)


def test_a_better_number_gains_in_tau_and_error() -> None:
    random = np.random.default_rng(2)

    def series(noise: float) -> list[Series]:
        answer = []
        for seed in range(GENES):
            y = np.random.default_rng(seed).normal(6, 1, COMPOUNDS)
            eye, ones = np.eye(COMPOUNDS), np.ones(COMPOUNDS)
            predicted = y + random.normal(0, noise, COMPOUNDS)
            sizes = np.random.default_rng(seed).normal(30, 5, COMPOUNDS)
            answer.append(Series(seed, 0, y, predicted, 2 * ones, eye, eye, sizes))
        return answer

    shares = Shares(0.1, 0.6, 0.2, 0.1)
    plain, adjusted = ([d for one in of for d in draw(one, 3, shares)] for of in (series(2), series(0.2)))
    _, count, number, before, after, gain, *_ = (cell.strip() for cell in line(3, plain, adjusted).split("|"))
    assert (count, number) == ("3", str(GENES))
    assert float(after) < float(before)
    assert float(gain.split()[0]) > 0.2
