"""The command that trains."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from affinity_model import retrain
from affinity_model.retrain import Folders

ROOT = Path(__file__).parents[2]
STAGES = "features, regimes, fit, differences, calibrate, export, score, own-values, card"


def test_npm_run_retrain_starts_it_and_an_unknown_stage_is_refused_by_name() -> None:
    node = shutil.which("node", path=f"{ROOT}/node_modules/.bin:{os.environ['PATH']}")
    assert node is not None
    command = [node, str(ROOT / "tools/retrain.mjs"), "--tables", "nowhere", "--from", "poses"]
    done = subprocess.run(
        command,
        env=os.environ | {"PKDEX_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"no stage poses; there are {STAGES}" in done.stderr


def test_a_stage_is_repeated_if_its_result_is_missing_or_an_earlier_one_was_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    functions = {"regimes": "score_regimes", "fit": "fit_shipped", "score": "score_product"}
    for name in STAGES.split(", "):
        function = functions.get(name, name.replace("-", "_"))
        monkeypatch.setattr(retrain, function, lambda _, name=name: ran.append(name))
    folders = Folders(tmp_path, tmp_path / "work", tmp_path)
    retrain.retrain(folders, None, "calibrate")
    assert ran == STAGES.split(", ")[:5]
    ran.clear()
    retrain.retrain(folders, None, "export")
    assert ran == ["export"]
    ran.clear()
    (folders.work / "fit.done").unlink()
    retrain.retrain(folders, None, None)
    assert ran == STAGES.split(", ")[2:]
    ran.clear()
    retrain.retrain(folders, "own-values", None)
    assert ran == ["own-values", "card"]
    ran.clear()
    # A run that ended early leaves the later stages to the next one.
    retrain.retrain(folders, "fit", "fit")
    retrain.retrain(folders, None, None)
    assert ran == STAGES.split(", ")[2:]
