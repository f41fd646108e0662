"""Small tables: what the tests learn from."""

import numpy as np
import pytest
import scipy.sparse as sp

from affinity_model.model import tanimoto_of_packed
from affinity_model.tables import Compounds, Neighbours, Rows, Targets, folded, packed_bits


@pytest.fixture
def compounds() -> Compounds:
    random = np.random.default_rng(0)
    blocks = [
        sp.csr_matrix((random.random((60, size)) < 0.15).astype(np.float32))
        for size in (64, 128, 128, 64, 32)
    ]
    descriptors = random.normal(size=(60, 5)).astype(np.float32)
    smiles = ["C" * (place + 1) for place in range(60)]
    prints = packed_bits(folded(blocks[1], 64))
    similar = tanimoto_of_packed(prints, prints)
    order = np.argsort(-similar, axis=1, kind="stable")
    neighbours = Neighbours(
        np.arange(0, 60 * 60 + 1, 60),
        order.ravel(),
        np.take_along_axis(similar, order, 1).ravel().astype(np.float32),
    )
    return Compounds(
        blocks,
        descriptors,
        descriptors[:, 0] * 5 + 30,
        smiles,
        {one: at for at, one in enumerate(smiles)},
        prints,
        np.arange(60),
        neighbours,
    )


@pytest.fixture
def targets() -> Targets:
    random = np.random.default_rng(1)
    sequences = ["".join(random.choice(list("ACDEFGHIKLMNPQRSTVWY"), 90)) for _ in range(4)]
    return Targets(
        [f"T{at}" for at in range(4)],
        [f"target {at}" for at in range(4)],
        sequences,
        {f"T{at}": at for at in range(4)},
    )


@pytest.fixture
def rows(compounds: Compounds) -> Rows:
    random = np.random.default_rng(2)
    count = 150
    compound, target = random.integers(0, len(compounds), count), random.integers(0, 3, count)
    y = (6 + 0.5 * target + compounds.descriptors[compound, 1] + 0.2 * random.normal(size=count)).astype(
        np.float32
    )
    is_bound = np.arange(count) % 10 == 0
    return Rows(
        compound,
        target,
        random.integers(0, 4, count),
        y,
        random.integers(-1, 8, count),
        is_bound,
        np.zeros(count, np.int64),
        [("Ki", "davis")],
    )
