"""Draws compounds from ChEMBL's further rows for scoring, as a table: half as whole assays, half at random.

python3 -m affinity_model held-back --tables <folder>

None is in the general table, so the base model has not seen them; `wide_model` leaves them out.
"""

from collections.abc import Sequence

import numpy as np

from .data import feature_keys, load_features, read_tsv
from .folders import options
from .outside import SERIES_MIN

ROWS = 2000
# Of few rows, one in this many at most: the rest is for training.
SHARE = 20
# A larger assay would dominate the sample.
ASSAY_MAX = 60


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "tables").parse_args(words)
    known, further = load_features(asked.work.features), load_features(asked.work.outside)
    seen = set(feature_keys(known, np.arange(len(known.compound_ids))).values())
    keys = feature_keys(further, np.arange(len(further.compound_ids)))
    new = {smiles for at, smiles in enumerate(further.compound_ids) if keys[at] not in seen}
    new -= {row["smiles"] for row in read_tsv(asked.tables / "series/ligands.tsv.gz")}
    rows = [row for row in read_tsv(asked.tables / "chembl32/pairs.tsv.gz") if row["smiles"] in new]
    drawn = draw(rows, np.random.default_rng(0), min(ROWS, len(rows) // SHARE))
    lines = [
        "\t".join([row["smiles"], row["target_id"].split("|")[0], row["pK"], row["type"]]) for row in drawn
    ]
    asked.work.held_back.write_text("\n".join(["smiles\ttarget_id\tpk\ttype", *lines]) + "\n")
    print(f"{len(drawn)} rows: {asked.work.held_back}")


def draw(rows: list[dict[str, str]], random: np.random.Generator, wanted: int) -> list[dict[str, str]]:
    """From rows with `assay` and `smiles`: whole assays until `wanted` rows are drawn, then as many single rows."""
    assays: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        assays.setdefault(row["assay"], []).append(at)
    sized = [members for name, members in assays.items() if name and SERIES_MIN <= len(members) <= ASSAY_MAX]
    taken: list[int] = []
    for at in random.permutation(len(sized)):
        if len(taken) >= wanted:
            break
        taken += sized[at]
    rest = np.setdiff1d(np.arange(len(rows)), taken)
    single = random.choice(rest, min(wanted, len(rest)), replace=False)
    return [rows[at] for at in [*taken, *sorted(single.tolist())]]
