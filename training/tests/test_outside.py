"""Published series are scored as a chemist uses them: new compounds only, ranked within their series."""

import numpy as np
import pytest

from affinity_model.metrics import kendall
from affinity_model.outside import gene_folds, load_rows, predictors, report, score


def made_rows(count: int = 120) -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)
    series = np.arange(count) % 6
    level = np.array([5.0, 9.0, 6.0, 8.0, 7.0, 5.5])[series]
    atoms = random.integers(15, 45, count).astype(float)
    pk = level + 0.05 * atoms + random.normal(0, 0.1, count)
    return {
        "system": np.array([f"S{at}" for at in series]),
        "gene": np.array([f"G{at // 2}" for at in series]),
        "pk": pk,
        "fep": pk,
        "heavy_atoms": atoms,
        "logp": random.normal(0, 1, count),
        "predicted": level,
        "lower": level - 1,
        "upper": level + 1,
        "part_0": level - 1,
        "part_1": level + 1,
        "in_training": (np.arange(count) >= 90).astype(float),
        "labels_on_target": np.full(count, 40.0),
        "similarity_on_target": np.full(count, 0.5),
        "compound_similarity": np.full(count, 0.5),
    }


def test_tau_matches_brute_force() -> None:
    y, predicted = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])
    assert kendall(y, predicted) == pytest.approx(4 / 6)
    assert kendall(y, -y) == -1
    assert kendall(y, np.ones(4)) == 0


def test_predictions_of_series_means_have_no_tau_inside_a_series() -> None:
    rows = made_rows()
    scored = score(rows, rows["predicted"])
    assert scored.tau == 0
    assert scored.r > 0.8
    assert score(rows, rows["heavy_atoms"]).tau > 0.7


def test_no_gene_is_in_two_folds() -> None:
    genes = np.random.default_rng(2).integers(0, 30, 900)
    fold = gene_folds(genes)
    assert all(len(np.unique(fold[genes == gene])) == 1 for gene in np.unique(genes))
    assert np.bincount(fold).min() > 100


def test_a_line_predicts_only_genes_it_was_not_fitted_on() -> None:
    rows = made_rows()
    before = predictors(rows)["line on heavy atoms"]
    first = rows["gene"] == "G0"
    rows["pk"] = np.where(first, rows["pk"] + 3, rows["pk"])
    assert predictors(rows)["line on heavy atoms"][first] == pytest.approx(before[first])


def test_only_compounds_outside_the_training_data_are_scored(tmp_path) -> None:
    rows = made_rows()
    lines = ["\t".join(rows), *("\t".join(str(values[at]) for values in rows.values()) for at in range(120))]
    (tmp_path / "rows.tsv").write_text("\n".join(lines) + "\n")
    page = report(load_rows(tmp_path / "rows.tsv"))
    assert page.startswith("90 compounds that the model was not trained on, in 6 series.")
    assert "| 30 to 100 | 90 |" in page
