"""The one command on a two-hundredth of the real tables, with small parts, killed once in between.

WHOLE_TRAINING=1 runs all its stages, and predicts with the product: five minutes instead of one.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import ROOT

from affinity_model.retrain import asked_of, options_of, stages_of
from affinity_model.settings import Settings

SHARED = os.environ.get("PKDEX_SHARED")
IS_WHOLE = "WHOLE_TRAINING" in os.environ
LAST = "train"
ENVIRONMENT = {**os.environ, "PYTHONPATH": "training", "OMP_NUM_THREADS": "1"}
NODE = ROOT / "node_modules/.bin/node"
SMALL = Settings(
    landmarks=60, compound_rank=24, target_rank=8, kernel_iterations=5, kernel_rounds=1, width=24, encoding=8,
    head_width=8, epochs=1, members=1, boosting_rounds=5, boosting_leaves=7, boosting_members=1, boosting_bit_min=50,
    boosting_pair_rounds=5,
)  # fmt: skip


@pytest.mark.skipif(SHARED is None, reason="needs the real tables")
def test_one_command_trains_from_the_tables_and_resumes_after_it_was_killed(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "settings.json").write_text(json.dumps(asdict(SMALL)))
    log = work / "retrain/log.txt"
    killed = subprocess.Popen(command(work), cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    wait_for(lambda: log.exists() and "evaluate-kernel: base" in log.read_text(), killed)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = len(log.read_text())
    subprocess.run(command(work), cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    said = log.read_text()[before:]
    names = [stage.name for stage in stages_of(asked_of(options_of().parse_args(command(work)[4:])))]
    due = names if IS_WHOLE else names[: names.index(LAST) + 1]
    assert [name for name in names if f"{name}: up to date" in said] == ["fraction", "features"]
    assert [name for name in names if f"{name}: done in" in said] == due[2:]
    trained = json.loads((work / "run/shipped/training.json").read_text())
    assert trained["settings"] == asdict(SMALL)
    assert 1000 < trained["pairs"] < 243_296 / 100
    if IS_WHOLE:
        predicted = [row["predicted_kd"] for row in predictions(work / "model")]
        assert len(set(predicted)) == 3 and all(2 <= value <= 12 for value in predicted)


def command(work: Path) -> list[str]:
    until = [] if IS_WHOLE else ["--until", LAST]
    folders = ["--tables", f"{SHARED}/data", "--structures", str(ROOT / "samples"), "--work", str(work)]
    return [sys.executable, "-m", "affinity_model", "retrain", "--fraction", "0.005", *folders, *until]


def wait_for(is_so: Callable[[], bool], process: subprocess.Popen) -> None:
    while not is_so():
        assert process.poll() is None, "the command ended early"
        time.sleep(0.1)


def predictions(model: Path) -> list[dict]:
    """Of three drugs on HIV protease."""
    compounds = model / "compounds.smi"
    compounds.write_text("CC(=O)Oc1ccccc1C(=O)O\nc1ccccc1\nCN1C=NC2=C1C(=O)N(C(=O)N2C)C\n")
    asked = ["--target", "samples/1hpv.pdb", "--compounds", str(compounds), "--json", "--quiet"]
    answered = subprocess.run(
        [NODE, "apps/server/src/main/predict.ts", *asked],
        cwd=ROOT,
        env={**ENVIRONMENT, "MODEL_DIR": str(model)},
        check=True,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in answered.stdout.splitlines()]
