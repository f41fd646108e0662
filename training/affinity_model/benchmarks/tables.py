"""A benchmark as drugs x targets matrices. Labels are pKd for Davis and the KIBA score for KIBA."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..data import read_tsv

TEST = "test"
COLD_SPLITS = 5
LABEL = {"davis": "pKd", "kiba": "kiba_score"}
SEQUENCE = {"davis": "sequence_mutated", "kiba": "sequence"}


@dataclass
class Table:
    """One benchmark."""

    name: str
    drug_ids: list[str]
    target_ids: list[str]
    sequences: list[str]  # of targets, with mutations restored if the table lists them
    labels: np.ndarray  # drugs x targets; NaN if not measured
    is_test: np.ndarray  # drugs x targets; the standard test fold
    cold_drugs: np.ndarray  # splits x drugs; held out in the given cold split
    cold_targets: np.ndarray  # splits x targets; held out in the given cold split


def load_table(tables: Path, name: str) -> Table:
    """name: davis or kiba; KeyError for any other, FileNotFoundError if the folder lacks it."""
    drugs, targets, pairs, cold = (
        read_tsv(tables / name / f"{part}.tsv.gz") for part in ("drugs", "targets", "pairs", "cold_splits")
    )
    drug_row = {row["drug_id"]: index for index, row in enumerate(drugs)}
    target_row = {row["target_id"]: index for index, row in enumerate(targets)}
    at = (
        np.array([drug_row[row["drug_id"]] for row in pairs]),
        np.array([target_row[row["target_id"]] for row in pairs]),
    )
    labels = np.full((len(drugs), len(targets)), np.nan)
    labels[at] = [float(row[LABEL[name]]) for row in pairs]
    is_test = np.zeros(labels.shape, bool)
    is_test[at] = [row["fold"] == TEST for row in pairs]
    return Table(
        name=name,
        drug_ids=list(drug_row),
        target_ids=list(target_row),
        sequences=[row[SEQUENCE[name]] for row in targets],
        labels=labels,
        is_test=is_test,
        cold_drugs=_held_out(cold, "drug_cold", at[0], len(drugs)),
        cold_targets=_held_out(cold, "protein_cold", at[1], len(targets)),
    )


def _held_out(cold: list[dict[str, str]], column: str, rows: np.ndarray, count: int) -> np.ndarray:
    held = np.zeros((COLD_SPLITS, count), bool)
    for split in range(COLD_SPLITS):
        held[split, rows[[row[f"{column}_{split + 1}"] == "e" for row in cold]]] = True
    return held
