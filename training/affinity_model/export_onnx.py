"""Writes the files of a trained model that the product needs into one folder.

python3 -m affinity_model export-onnx [--model models/current]
"""

import gzip
import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from .card import Run, write_card
from .checkpoint import load_model
from .correction import fit_correction
from .data import Features, load_features
from .evaluate import load_rows
from .folders import options
from .gating import blend, fit_gating
from .golden import predict_golden
from .measured import COLUMNS, Measured, gather, pack, unpack
from .model import HALF_FROM, Affinity
from .neighbours import folded_fingerprints
from .target_swap import measure_target_swap

OPSET, TREE_OPSET = 17, 3


class CompoundPart(nn.Module):
    """The graph of compound.onnx."""

    def __init__(self, model: Affinity):
        super().__init__()
        self.model = model

    def forward(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """n x all bits, n x descriptors."""
        return self.model.encode_compounds(bits, descriptors)


class TargetPart(nn.Module):
    """The graph of target.onnx."""

    def __init__(self, model: Affinity):
        super().__init__()
        self.model = model

    def forward(self, kmers: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """m x all k-mers, m x letters, m x 1."""
        return self.model.encode_targets(kmers, composition, length)


class PairPart(nn.Module):
    """Each encoding is passed once; two index columns say which ones form a pair; `measured` has a row per pair."""

    def __init__(self, model: Affinity):
        super().__init__()
        self.model = model

    def forward(
        self,
        compounds: Tensor,
        targets: Tensor,
        compound_similarity: Tensor,
        target_similarity: Tensor,
        measured: Tensor,
        compound: Tensor,
        target: Tensor,
    ) -> Tensor:
        """compound, target: pairs, int64; measured: pairs x measured.COLUMNS; returns pairs x 5, in pKd."""
        near = compound_similarity[compound], target_similarity[target], measured
        return self.model.pair(compounds[compound], targets[target], *near)


def export_parts(model: Affinity, manifest: dict, out: Path) -> None:
    """Writes compound.onnx, target.onnx and pair.onnx; ValueError if trees are not trained yet."""
    spec, sizes = manifest["featureSpec"], manifest["sizes"]
    bits = torch.zeros(2, sizes["compoundBits"])
    descriptors = torch.zeros(2, len(spec["compound"]["descriptors"]))
    kmers = torch.zeros(3, sizes["exactWords"] + sizes["reducedWords"])
    composition, length = torch.zeros(3, len(spec["target"]["letters"])), torch.ones(3, 1)
    with torch.no_grad():
        compounds = model.encode_compounds(bits, descriptors)
        targets = model.encode_targets(kmers, composition, length)
    export_graph(
        CompoundPart(model), (bits, descriptors), ["bits", "descriptors"], "compounds", out / "compound.onnx"
    )
    export_graph(
        TargetPart(model),
        (kmers, composition, length),
        ["words", "composition", "length"],
        "targets",
        out / "target.onnx",
    )
    index = torch.tensor([0, 1, 1, 0])
    export_graph(
        PairPart(model),
        (compounds, targets, torch.ones(2), torch.ones(3), torch.zeros(4, COLUMNS), index, index),
        [
            "compounds",
            "targets",
            "compound_similarity",
            "target_similarity",
            "measured",
            "compound",
            "target",
        ],
        "affinity",
        out / "pair.onnx",
    )


def export_neighbours(features: Features, trained: dict[str, np.ndarray], out: Path) -> Measured:
    """Data for finding the closest compounds and targets: folded fingerprints without structures, identity k-mers and
    name of each training target, and its measured values. Returns the values in the product's format.

    trained: compound, target, y and is_below of the training pairs.
    """
    compounds, of_pair = np.unique(trained["compound"], return_inverse=True)
    folded = folded_fingerprints(features, compounds)
    packed, row = np.unique(np.packbits(folded, axis=1, bitorder="little"), axis=0, return_inverse=True)
    write_gzip(out / "compound-fingerprints.bin.gz", packed.tobytes())
    targets, target = np.unique(trained["target"], return_inverse=True)
    identity = features.identity_kmers[targets * features.variants]
    write_gzip(out / "target-words.bin.gz", identity.indices.astype("<u4").tobytes())
    fingerprints = np.unpackbits(packed, axis=1, bitorder="little").astype(bool)
    measured = gather(fingerprints, row[of_pair], target, trained["y"], trained["is_below"], len(targets))
    labels = pack(measured)
    write_gzip(out / "measured.bin.gz", labels.astype("<u4").tobytes())
    listed = [
        {"name": features.target_names[row], "words": int(kmers), "measured": int(count)}
        for row, kmers, count in zip(targets, np.diff(identity.indptr), measured.counts)
    ]
    (out / "targets.json").write_text(json.dumps(listed, ensure_ascii=False, indent=0) + "\n")
    return unpack(fingerprints, measured.counts, labels)


def export_graph(part: nn.Module, inputs: tuple, names: list[str], output: str, path: Path) -> None:
    """Writes one graph, with large weights in half precision where that is exact."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            part.eval(),
            inputs,
            path,
            dynamo=False,
            # Trees are exported as one operator instead of torch's steps.
            autograd_inlining=False,
            opset_version=OPSET,
            custom_opsets={"ai.onnx.ml": TREE_OPSET},
            do_constant_folding=False,
            input_names=names,
            output_names=[output],
            dynamic_axes={name: {0: f"{name}_rows"} for name in [*names, output]},
        )
    onnx.save(_with_half_weights(onnx.load(path)), path)


def _with_half_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Stores large weights in half precision where that is exact (see round_to_half); not the thresholds of trees."""
    graph, casts = model.graph, []
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < HALF_FROM:
            continue
        with np.errstate(over="ignore"):
            half = values.astype(np.float16)
        if not np.array_equal(half.astype(np.float32), values):
            continue
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(half, f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


def write_gzip(path: Path, content: bytes) -> None:
    """Reproducible bytes: the archive contains no date."""
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__).parse_args(words)
    work, out = asked.work, asked.model
    features = load_features(work.features)
    model = load_model(work.shipped / "model.pt")
    rows = load_rows(work.evaluation, model.settings.kernel_share)
    gating = fit_gating(rows)
    model.gating = torch.from_numpy(gating).float()
    model.correction = fit_correction(rows, blend(rows, gating))
    with np.load(work.shipped / "trained-on.npz") as saved:
        trained = {name: saved[name] for name in saved.files}
    out.mkdir(parents=True, exist_ok=True)
    export_parts(model, features.manifest, out)
    measured = export_neighbours(features, trained, out)
    golden = predict_golden(model, features, measured)
    (out / "golden-predictions.json").write_text(json.dumps(golden, ensure_ascii=False) + "\n")
    compounds, targets = np.unique(trained["compound"]), np.unique(trained["target"])
    run = Run(
        features=features,
        compounds=compounds,
        training=json.loads((work.shipped / "training.json").read_text()),
        evaluation=json.loads((work.evaluation / "evaluation.json").read_text()),
        rows=rows,
        gating=gating,
        target_swap=measure_target_swap(model, features, measured, compounds, targets, model.settings.seed),
    )
    write_card(out, run)
