"""Predictions of this package that the product must reproduce."""

from pathlib import Path

import numpy as np

from .calibrate import Level, Widths
from .export import write_json
from .fitted import Fitted

COMPOUNDS, TARGETS = 40, 25


def write_golden(folder: Path, model: Fitted, level: Level, widths: Widths) -> None:
    """1,000 pairs: measured compounds on well and hardly known targets, on parts of them, and on unknown chains."""
    random = np.random.default_rng(5)
    known = np.diff(model.measured.target_starts)
    places = np.sort(random.choice(np.flatnonzero(known > 0), TARGETS - 5, replace=False))
    chains = [[model.targets.sequences[place]] for place in places]
    chains += [[chain[0][10:90], chain[0][95:]] for chain in chains[:3] if len(chain[0]) > 200]
    chains += [
        ["GSGSGSGSGSGS"],
        ["PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVG"],
    ]
    some = np.sort(random.choice(np.unique(model.measured.compound), COMPOUNDS, replace=False))
    numbers = []
    for chain in chains:
        rows = model.predict(chain, some, np.zeros(len(some), np.float32), "", "")
        predicted = level.apply(rows)
        half = widths.half(rows)
        numbers.append(np.stack([predicted, half, rows.similarity], 1).round(5).tolist())
    write_json(
        folder,
        "golden-predictions.json",
        {"compounds": [model.compounds.smiles[row] for row in some], "targets": chains, "numbers": numbers},
    )
