"""Fits the parts besides the base model and writes them into a model folder, where `final_stage` combines them.

python3 -m affinity_model wide-model --tables <folder> [--model models/current]

The compounds that `held-back` drew are left out, for scoring.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from .card import name_files
from .data import PK_RANGE, read_tsv
from .export_onnx import export_graph, write_gzip
from .final_stage import (
    LABEL_EDGES,
    LABEL_KNOTS,
    SIDES,
    SIMILARITY_EDGES,
    SIMILARITY_KNOTS,
    Stack,
    Stage,
    write_stage,
)
from .folders import options
from .golden import golden_compounds, golden_targets, load_golden, morgan_of
from .settings import read_settings
from .wide_data import Wide, load_wide
from .wide_parts import WideParts, fit_wide_parts

# Upper limit of pK by heavy atoms: the quantile used, and the minimum number of rows.
HIGHEST_QUANTILE, SIZE_ROWS_MIN, SIZE_MAX = 0.999, 500, 60
# Until `final_stage` is fitted, only the base model's prediction and interval are used.
BASE_ALONE = Stage(
    Stack(0, 0, 0, 0, 0, 0),
    np.ones((len(LABEL_KNOTS), len(SIMILARITY_KNOTS))),
    np.zeros((len(SIDES), len(LABEL_EDGES) + 1, len(SIMILARITY_EDGES) + 1)),
)


class WideCompounds(nn.Module):
    """The graph of wide-compound.onnx."""

    def __init__(self, parts: WideParts):
        super().__init__()
        self.parts, self.featurized, self.pooled = parts, parts.featurized, parts.pooled

    def forward(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """n x all bits, n x descriptors."""
        return self.parts.encode_compounds(bits, descriptors)


class WideTargets(nn.Module):
    """The graph of wide-target.onnx."""

    def __init__(self, parts: WideParts):
        super().__init__()
        self.parts, self.featurized = parts, parts.featurized

    def forward(self, kmers: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """m x all k-mers, m x letters, m x 1."""
        return self.parts.encode_targets(kmers, composition, length)


def export_wide(parts: WideParts, wide: Wide, out: Path) -> None:
    """Writes the graphs, the labels of the analogues, and golden numbers of the three parts."""
    manifest = wide.features.manifest
    spec, sizes = manifest["featureSpec"], manifest["sizes"]
    bits = torch.zeros(2, sizes["compoundBits"])
    descriptors = torch.zeros(2, len(spec["compound"]["descriptors"]))
    kmers = torch.zeros(3, sizes["exactWords"] + sizes["reducedWords"])
    composition, length = torch.zeros(3, len(spec["target"]["letters"])), torch.ones(3, 1)
    names = ["bits", "descriptors"]
    export_graph(WideCompounds(parts), (bits, descriptors), names, "compounds", out / "wide-compound.onnx")
    names = ["words", "composition", "length"]
    export_graph(WideTargets(parts), (kmers, composition, length), names, "targets", out / "wide-target.onnx")
    write_stage(BASE_ALONE, out)
    export_analogues(parts, highest_by_size(wide), out)
    (out / "wide-golden.json").write_text(json.dumps(golden_numbers(parts)) + "\n")


def export_analogues(parts: WideParts, highest: np.ndarray, out: Path) -> None:
    """Fingerprints, then per label its fingerprint row, then the bits of its weight; groups as text."""
    analogues = parts.analogues
    packed = np.packbits(analogues.fingerprints, axis=1, bitorder="little")
    write_gzip(out / "wide-fingerprints.bin.gz", packed.tobytes())
    weights = analogues.weight.astype("<f4").view("<u4")
    labels = np.concatenate([analogues.compound.astype("<u4"), weights])
    write_gzip(out / "wide-measured.bin.gz", labels.tobytes())
    described = {
        "groupOfTarget": analogues.group.tolist(),
        "labelsOfGroup": np.diff(analogues.starts).tolist(),
        "mostlyOfGroup": analogues.mostly,
        "meansOfGroup": np.round(parts.means, 4).tolist(),
        "highestBySize": np.round(highest, 2).tolist(),
    }
    (out / "wide.json").write_text(json.dumps(described) + "\n")


def highest_by_size(wide: Wide) -> np.ndarray:
    """The pK that one in a thousand measured compounds of a size or smaller exceeds, starting at zero heavy atoms.

    Sizes with too few compounds share a straight line that starts at the lowest pK.
    """
    names = wide.features.manifest["featureSpec"]["compound"]["descriptors"]
    pairs = wide.pairs.take(~wide.pairs.is_below)
    atoms = wide.features.descriptors[pairs.compound, names.index("NumHeavyAtoms")]
    order = np.argsort(atoms, kind="stable")
    counts = np.searchsorted(atoms[order], np.arange(SIZE_MAX + 1), side="right")
    sizes = [size for size in range(SIZE_MAX + 1) if counts[size] >= SIZE_ROWS_MIN]
    highest = [np.quantile(pairs.y[order[: counts[size]]], HIGHEST_QUANTILE) for size in sizes]
    known = np.maximum.accumulate([PK_RANGE[0], *highest]) if sizes else np.array(PK_RANGE)
    return np.interp(np.arange(SIZE_MAX + 1), [0, *sizes] if sizes else [0, SIZE_MAX], known)


def golden_numbers(parts: WideParts) -> list[dict]:
    """Predictions of the parts for every golden compound on every golden target, each with an arbitrary training
    target."""
    golden = load_golden()
    compounds, targets = golden_compounds(golden), golden_targets(golden)
    fingerprints = morgan_of(compounds[0], golden["featureSpec"])
    known = np.linspace(0, len(parts.analogues.group) - 1, len(golden["targets"])).astype(int)
    with torch.no_grad():
        of_compounds, of_targets = parts.encode_compounds(*compounds), parts.encode_targets(*targets)
        kernel = (of_compounds[:, :-1] @ of_targets.T).tolist()
    near = [parts.analogues.of(fingerprints, int(target)) for target in known]
    return [
        {
            "compound": compound,
            "target": target,
            "nearest": int(known[target]),
            "kernel": kernel[compound][target],
            "pooled": float(of_compounds[compound, -1]),
            "analogues": float(near[target][0][compound]),
            "similarity": float(near[target][1][compound]),
        }
        for compound in range(len(of_compounds))
        for target in range(len(known))
    ]


def in_order_of(wide: Wide, model: Path) -> Wide:
    """The same rows with the targets of targets.json, whose order groups of labels have to follow: otherwise a protein
    would get another one's values. A target that the tables have no rows for any more keeps its place, without labels.

    SystemExit if the tables have a target that is not listed, or lack the sequence of one that is.
    """
    names, words = wide.features.target_names, np.diff(wide.features.identity_kmers.indptr)
    rows, unmatched = list[int](), iter(enumerate(zip(names, words)))
    # Names repeat, but both lists have the same order.
    for target in json.loads((model / "targets.json").read_text()):
        wanted = target["name"], target["words"]
        rows.append(next((row for row, known in unmatched if known == wanted), -1))
    if -1 in rows or not np.isin(wide.known_targets, rows).all():
        raise SystemExit(
            f"{model / 'targets.json'} does not list the {len(wide.known_targets)} targets of the tables. "
            "Train and export the base model on these tables first."
        )
    return replace(wide, known_targets=np.array(rows))


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "tables").parse_args(words)
    work, settings = asked.work, read_settings(asked.work.settings)
    torch.set_num_threads(settings.threads)
    held_back = {row["smiles"] for row in read_tsv(work.held_back)}
    wide = in_order_of(load_wide(asked.tables, work, held_back), asked.model)
    parts = fit_wide_parts(wide, settings)
    export_wide(parts, wide, asked.model)
    name_files(asked.model)
    print(f"{len(wide.pairs)} pairs, {len(parts.analogues.compound)} labels of analogues: {asked.model}")
