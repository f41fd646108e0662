"""Checks that no test label leaks into a prediction: replacing them on disk by noise must change nothing.

All inputs of a predictor are read again from the altered files, so that leaks through similarities, other sources or
splits are detected as well as leaks through the labels.
"""

import gzip
import tempfile
from pathlib import Path

import numpy as np

from ..data import Features, read_tsv
from .inputs import Inputs
from .splits import Split, visible_labels
from .tables import LABEL, Table
from .tasks import Task, load_task

NOISE_SEED = 20_262
MERGED_PAIRS = "general/pairs.tsv.gz"


def largest_move(task: Task, tables: Path, features: Features) -> float:
    """Largest change, in label units, of any prediction of the first split when its hidden labels become noise.
    ValueError if the noise changed no scored label."""
    table, inputs = load_task(task, tables, features)
    with tempfile.TemporaryDirectory() as folder:
        write_with_noise(tables, table, task.splits(table)[0], Path(folder))
        noisy, noisy_inputs = load_task(task, Path(folder), features)
    if (noisy.labels == table.labels)[task.splits(table)[0].scored].any():
        raise ValueError(f"{task.title}: a scored label is as it was")
    honest, blinded = _predict(task, table, inputs), _predict(task, noisy, noisy_inputs)
    return float(np.abs(honest - blinded).max())


def write_with_noise(tables: Path, table: Table, split: Split, out: Path) -> None:
    """Copies the folder of tables with noise for every hidden label in the table's own pairs, and for every label from
    this table in the merged pairs; other files are unchanged."""
    random = np.random.default_rng(NOISE_SEED)
    own = f"{table.name}/pairs.tsv.gz"
    for path in tables.rglob("*.tsv.gz"):
        name = path.relative_to(tables).as_posix()
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        if name not in (own, MERGED_PAIRS):
            (out / name).symlink_to(path.resolve())
    drug, target = ({key: row for row, key in enumerate(keys)} for keys in (table.drug_ids, table.target_ids))
    rows = read_tsv(tables / own)
    for row in rows:
        if split.hidden[drug[row["drug_id"]], target[row["target_id"]]]:
            row[LABEL[table.name]] = str(random.normal(9, 3))
    _write_tsv(out / own, rows)
    if (tables / MERGED_PAIRS).exists():
        rows = read_tsv(tables / MERGED_PAIRS)
        for row in rows:
            if table.name in row["sources"].split("|"):
                row["pK"] = str(random.normal(9, 3))
        _write_tsv(out / MERGED_PAIRS, rows)


def _predict(task: Task, table: Table, inputs: Inputs) -> np.ndarray:
    split = task.splits(table)[0]
    return task.predictor(inputs, visible_labels(table, split), split.novelty, task.seeds[0])


def _write_tsv(path: Path, rows: list[dict[str, str]]) -> None:
    with gzip.open(path, "wt", newline="") as file:
        file.writelines("\t".join(row.values()) + "\n" for row in [dict(zip(rows[0], rows[0])), *rows])
