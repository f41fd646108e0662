"""Which rows of the general table are learnt from. The real tables lie in PKDEX_SHARED, as .ci/run has them."""

import gzip
import os
from pathlib import Path

import pytest

from affinity_model.data import UNTRUSTED, read_general

SHARED = os.environ.get("PKDEX_SHARED")


def write(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(gzip.compress("".join(f"{line}\n".replace(" ", "\t") for line in lines).encode()))


def test_rows_of_drug_target_commons_alone_are_left_out_unless_a_protein_would_be_lost(
    tmp_path: Path,
) -> None:
    pairs = ["D1 T1 dtc", "D1 T2 dtc", "D1 T3 dtc", "D2 T1 papyrus|dtc", "D2 T4 dtc"]
    write(tmp_path / "general/pairs.tsv.gz", "drug_id target_id sources", *pairs)
    write(tmp_path / "general/pairs_folds.tsv.gz", "drug_id target_id y", *(f"{row[:5]} 6" for row in pairs))
    # Only ChEMBL measures T3 otherwise; T4 is a twin of T1, which has other rows.
    write(tmp_path / "chembl32/pairs.tsv.gz", "smiles target_id", "C T3", "C T1|T4", "C T1")
    kept = [(row["drug_id"], row["target_id"], row["y"]) for row in read_general(tmp_path)]
    assert kept == [("D1", "T3", "6"), ("D2", "T1", "6")]


@pytest.mark.skipif(SHARED is None, reason="needs the real tables")
def test_of_17164_rows_of_drug_target_commons_alone_all_but_those_of_eleven_proteins_are_left_out() -> None:
    tables = Path(SHARED or "") / "data"
    with gzip.open(tables / "general/pairs.tsv.gz", "rt") as file:
        assert sum(f"\t{UNTRUSTED}\t" in line for line in file) == 17_164
    rows = read_general(tables)
    left = [row for row in rows if row["sources"] == UNTRUSTED]
    # 235,484 pairs after merging, 16,140 of them of this source alone, as the card of model 1.4.2 says.
    assert len(rows) == 235_484 - 16_140 + len(left)
    assert (len(left), len({row["target_id"] for row in left})) == (144, 11)
