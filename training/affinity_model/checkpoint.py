"""A trained model on disk: its weights as plain tensors, and the settings and sizes needed to rebuild it.

Nothing is pickled, so a checkpoint survives renamed classes and moved files, and loading it runs no code.
"""

from dataclasses import asdict
from pathlib import Path

import torch

from .boosting import Trees
from .featurizers import CompoundFeaturizer, TargetFeaturizer
from .model import Affinity
from .network import Network
from .settings import Settings

TREES = ("compound_trees", "pair_trees")


def save_model(model: Affinity, path: Path) -> None:
    """Writes a trained model. ValueError if it already has a correction, which only the exporter adds."""
    if model.correction is not None:
        raise ValueError("a checkpoint holds no correction; save the model before it is learnt")
    trees = {name: getattr(model, name) for name in TREES}
    saved = {
        "settings": asdict(model.settings),
        "feature_spec": model.compound_featurizer.spec,
        "landmarks": len(model.compound_featurizer.packed),
        "networks": [member.inputs for member in model.members],
        "trees": {name: of.sizes for name, of in trees.items() if of is not None},
        "state": model.state_dict(),
    }
    torch.save(saved, path)


def load_model(path: Path) -> Affinity:
    """Loads what `save_model` wrote, in evaluation mode; RuntimeError if the weights do not fit the settings."""
    saved = torch.load(path, weights_only=True)
    settings, spec = Settings(**saved["settings"]), saved["feature_spec"]
    compounds = CompoundFeaturizer(spec, settings, saved["landmarks"])
    model = Affinity(compounds, TargetFeaturizer(spec, settings), settings)
    model.networks.extend(Network(c, t, groups, settings) for c, t, groups in saved["networks"])
    for name, sizes in saved["trees"].items():
        setattr(model, name, Trees(*sizes))
    model.load_state_dict(saved["state"])
    return model.eval()
