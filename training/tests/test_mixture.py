"""The level of a target's values is scored on genes, years and targets that it was not fitted on."""

from pathlib import Path

import numpy as np
import pytest
from test_final_stage import made_rows, with_means

from affinity_model.final_stage import (
    LABEL_KNOTS,
    SIDES,
    SIMILARITY_KNOTS,
    Level,
    Stack,
    Stage,
    take,
    write_rows,
    write_stage,
)
from affinity_model.mixture import MOVED, PLAIN, main, of_other_genes
from affinity_model.outside import Rows, gene_folds


def hidden_rows(split: str, kept: int) -> Rows:
    rows = with_means(made_rows(3), "Ki", 30)
    count = len(rows["pk"])
    return rows | {
        "split": np.full(count, split), "kept": np.full(count, kept), "target": np.repeat(np.arange(20), 30),
    }  # fmt: skip


def test_a_gene_never_influences_its_own_level() -> None:
    rows = with_means(made_rows(), "Ki", 30)
    held = gene_folds(rows["gene"]) == 2
    noisy = rows | {"pk": np.where(held, 20.0, rows["pk"])}
    chosen = [hidden_rows("time", 0), hidden_rows("few", 3)]
    told, hidden = (of_other_genes(of, chosen) for of in (rows, noisy))
    assert told[1][2] == hidden[1][2] != told[1][1]
    for name in (PLAIN, MOVED):
        assert told[0][name][held] == pytest.approx(hidden[0][name][held])
    assert np.abs(told[0][MOVED] - told[0][PLAIN]).max() > 0.1


def test_every_table_that_exists_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mixture").mkdir()
    series = tmp_path / "series.tsv"
    write_rows(series, with_means(made_rows(), "Ki", 30))
    both = [hidden_rows("time", 0), take(hidden_rows("few", 3), np.arange(300))]
    table = {name: np.concatenate([of[name] for of in both]) for name in both[0]}
    write_rows(tmp_path / "mixture/chosen-0.tsv", table)
    write_rows(tmp_path / "mixture/newest.tsv", hidden_rows("newest", 0))
    shares = np.zeros((len(LABEL_KNOTS), len(SIMILARITY_KNOTS)))
    write_stage(Stage(Stack(6, 0, 0, 0, 0, 0), shares, np.ones((len(SIDES), 5, 5)), Level()), tmp_path)
    main(["--rows", str(series), "--model", str(tmp_path), "--work", str(tmp_path)])
    said = capsys.readouterr().out
    assert "| newest fifth | with the level |" in said and "| fitted on: 3 values |" in said
    assert "| 3 values |" not in said
