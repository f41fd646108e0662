"""The exporter writes the benchmarks' inputs: both tables, and other compounds on Davis targets."""

import csv
import gzip
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from affinity_model.data import load_features

WILD, MUTANT, OTHER = "MKKFFDSRREQGGSG", "MKKFFDSWREQGGSG", "MPLNVSFANRNYDLD"


def write(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    tables, out = tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("features")
    write(tables / "davis/drugs.tsv.gz", [{"drug_id": "1", "smiles_canonical": "CCO.Cl"}])
    write(tables / "davis/targets.tsv.gz", [
        {"target_id": "A(R8W)", "name": "A(R8W)", "sequence": WILD, "sequence_mutated": MUTANT}
    ])  # fmt: skip
    peptide = "NCC(=O)" * 70 + "O"  # too many atoms for the product
    write(tables / "kiba/drugs.tsv.gz", [{"drug_id": "1", "smiles_canonical": peptide}])
    write(tables / "kiba/targets.tsv.gz", [{"target_id": "P", "name": "", "sequence": OTHER}])
    write(tables / "general/targets.tsv.gz", [
        {"target_id": "T0", "sequence": WILD}, {"target_id": "T1", "sequence": OTHER}
    ])  # fmt: skip
    write(tables / "general/drugs.tsv.gz", [
        {"drug_id": "D0", "smiles": "CCN"}, {"drug_id": "D1", "smiles": "CCC"}
    ])  # fmt: skip
    write(tables / "general/pairs.tsv.gz", [
        {"drug_id": "D0", "target_id": "T0"}, {"drug_id": "D1", "target_id": "T1"}
    ])  # fmt: skip
    main = ROOT / "training/export/benchmarks.ts"
    command = [ROOT / "node_modules/.bin/node", main, "--data", tables, "--out", out]
    subprocess.run(command, check=True, cwd=ROOT)
    return load_features(out)


def test_the_export_has_both_tables_and_other_compounds_on_davis_targets(exported) -> None:
    assert exported.compound_ids == ["davis:1", "kiba:1", "D0"]
    assert exported.target_ids == ["davis:A(R8W)", "kiba:P"]


def test_compounds_are_exported_as_the_product_standardises_them(exported) -> None:
    assert exported.compound_smiles[0] == "CCO"
    assert exported.bits[1].nnz > 0  # entries the product rejects are written unchanged


def test_a_mutant_has_its_own_kmers(exported) -> None:
    letters = exported.manifest["featureSpec"]["target"]["letters"]
    kmer = [letters.index(letter) for letter in "DSW"]
    place = np.ravel_multi_index(kmer, (len(letters),) * 3)
    assert exported.kmers[0, place] == 1
