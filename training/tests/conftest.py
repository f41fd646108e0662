"""Small synthetic data for every test: random fingerprints and k-mers, and labels that follow a rule."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import torch

# ONNX Runtime sends telemetry unless disabled before it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1]))

from affinity_model.data import GROUPS, Features, Pairs
from affinity_model.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOUNDS, TARGETS, VARIANTS = 60, 12, 3


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def golden() -> dict:
    return json.loads((ROOT / "packages/biochem/src/golden/features.json").read_text())


@pytest.fixture(scope="session")
def settings() -> Settings:
    return Settings(
        landmarks=40, compound_rank=24, target_rank=8, width=48, encoding=16, head_width=16,
        epochs=6, batch_compounds=16, members=1, dropout=0.0, input_dropout=0.0,
        boosting_rounds=20, boosting_leaves=7, boosting_leaf_compounds=2, boosting_bit_min=2,
        boosting_pair_rounds=10, boosting_leaf_pairs=2, boosting_target_rank=4,
    )  # fmt: skip


@pytest.fixture(scope="session")
def features(golden: dict) -> Features:
    random, spec = np.random.default_rng(7), golden["featureSpec"]
    sizes = {
        "compoundBits": sum(block["size"] for block in spec["compound"]["blocks"]),
        "exactWords": 20**3,
        "reducedWords": 6**5,
    }
    rows = TARGETS * VARIANTS
    composition = random.dirichlet(np.ones(20), rows).astype(np.float32)
    return Features(
        manifest={
            "featureSpec": spec,
            "featureSpecHash": golden["featureSpecHash"],
            "sizes": sizes,
            "tables": [],
        },
        compound_ids=[f"c{row}" for row in range(COMPOUNDS)],
        compound_smiles=["C"] * COMPOUNDS,
        bits=_random_sets(random, COMPOUNDS, sizes["compoundBits"], 0.02),
        descriptors=random.normal(size=(COMPOUNDS, len(spec["compound"]["descriptors"]))).astype(np.float32),
        target_ids=[f"t{row}" for row in range(TARGETS)],
        target_names=[f"target {row}" for row in range(TARGETS)],
        target_sequences=["ACDEFGHIKLMNPQRSTVWY" * 4] * TARGETS,
        variants=VARIANTS,
        kmers=_random_sets(random, rows, sizes["exactWords"] + sizes["reducedWords"], 0.02),
        composition=composition,
        lengths=random.integers(60, 900, rows).astype(np.int32),
        identity_kmers=_random_sets(random, rows, 20**4, 0.001),
    )


@pytest.fixture(scope="session")
def pairs() -> Pairs:
    """Every compound with every target; folds follow the compound (scaffold) and the target."""
    random = np.random.default_rng(8)
    compound, target = (grid.ravel().astype(np.int32) for grid in np.mgrid[:COMPOUNDS, :TARGETS])
    y = 6 + random.normal(size=COMPOUNDS)[compound] + random.normal(size=TARGETS)[target]
    groups = np.zeros((len(y), len(GROUPS)), np.float32)
    groups[::3, 1] = 1
    return Pairs(
        compound=compound,
        target=target,
        y=y.astype(np.float32),
        is_below=random.random(len(y)) < 0.2,
        groups=groups,
        is_reference=groups[:, 1] == 0,
        folds=np.stack([random.integers(0, 5, len(y)), compound % 5, target % 5], 1).astype(np.int8),
    )


def _random_sets(random: np.random.Generator, rows: int, columns: int, share: float) -> sp.csr_matrix:
    return sp.random(
        rows,
        columns,
        share,
        format="csr",
        dtype=np.float32,
        random_state=random,
        data_rvs=lambda n: np.ones(n, np.float32),
    )
