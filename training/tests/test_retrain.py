"""Which stages of a retraining run, in which order, and what is skipped."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT

from affinity_model.__main__ import COMMANDS, STAGES, main
from affinity_model.retrain import Asked, Stage, asked_of, options_of, retrain, run_command, stages_of

# A retraining of one stage that runs the script and prints its process id first.
RUN_STAGE = """
import sys
from pathlib import Path
from affinity_model.retrain import Stage, run_command
script = "import os; print(os.getpid(), flush=True)\\n" + sys.argv[2]
run_command(Stage("one", "", (sys.argv[1], "-c", script), ()), Path(sys.argv[3]))
"""


def asked_for(tables: Path, *words: str) -> Asked:
    return asked_of(options_of().parse_args(["--tables", str(tables), *words]))


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A folder like the one of tables, from long ago."""
    for name in ("general", "davis", "bindingdb_kd", "chembl32", "series"):
        (tmp_path / "tables" / name).mkdir(parents=True)
        (tmp_path / "tables" / name / "pairs.tsv").write_text("smiles\n")
    for path in [*(tmp_path / "tables").rglob("*"), tmp_path / "tables"]:
        os.utime(path, (1, 1))
    return tmp_path / "tables"


@pytest.fixture
def stages(tables: Path, tmp_path: Path) -> list[Stage]:
    """Three that only write a file; the first reads one table, the third another."""
    made = [tmp_path / name for name in ("a", "b", "c")]
    first = Stage("first", "reads", ("true",), (made[0],), (tables / "general",))
    second = Stage("second", "learns", ("true",), (made[1],))
    return [first, second, Stage("third", "scores", ("true",), (made[2],), (tables / "series",))]


def write(stage: Stage, log: Path) -> None:
    for path in stage.makes:
        path.write_text("made")


def test_every_stage_runs_once_and_in_order(stages: list[Stage], tmp_path: Path) -> None:
    assert retrain(stages, tmp_path / "work", None, write) == ["first", "second", "third"]
    assert retrain(stages, tmp_path / "work", None, write) == []
    log = (tmp_path / "work/log.txt").read_text()
    assert "first: reads" in log and "third: done in" in log and "second: up to date" in log


def test_a_changed_table_repeats_its_stage_and_all_later_ones(
    stages: list[Stage], tables: Path, tmp_path: Path
) -> None:
    retrain(stages, tmp_path / "work", None, write)
    later = (tmp_path / "work/third.done").stat().st_mtime + 10
    os.utime(tables / "series/pairs.tsv", (later, later))
    assert retrain(stages, tmp_path / "work", None, write) == ["third"]
    os.utime(tables / "general/pairs.tsv", (later, later))
    assert retrain(stages, tmp_path / "work", None, write) == ["first", "second", "third"]


def test_a_stage_can_be_repeated_by_name_and_a_missing_output_repeats_it(
    stages: list[Stage], tmp_path: Path
) -> None:
    retrain(stages, tmp_path / "work", None, write)
    assert retrain(stages, tmp_path / "work", "second", write) == ["second", "third"]
    stages[1].makes[0].unlink()
    assert retrain(stages, tmp_path / "work", None, write) == ["second", "third"]
    with pytest.raises(SystemExit, match="there is no stage fourth: first, second, third"):
        retrain(stages, tmp_path / "work", "fourth", write)


def test_after_a_failure_the_next_run_goes_on_with_the_stage_that_failed(
    stages: list[Stage], tmp_path: Path
) -> None:
    def fail(stage: Stage, log: Path) -> None:
        if stage.name == "second":
            raise SystemExit("second failed")
        write(stage, log)

    with pytest.raises(SystemExit, match="second failed"):
        retrain(stages, tmp_path / "work", None, fail)
    assert retrain(stages, tmp_path / "work", None, write) == ["second", "third"]


def test_a_stage_without_its_output_is_an_error(stages: list[Stage], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="first did not write"):
        retrain(stages, tmp_path / "work", None, lambda stage, log: None)


def test_what_a_command_prints_is_logged_and_its_failure_stops(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    run_command(Stage("one", "", (sys.executable, "-c", "print('62,872 compounds')"), ()), log)
    assert log.read_text() == "62,872 compounds\n"
    with pytest.raises(SystemExit, match="two failed"):
        run_command(Stage("two", "", (sys.executable, "-c", "raise SystemExit(3)"), ()), log)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them")
def test_a_stage_ends_when_the_command_is_killed(tmp_path: Path) -> None:
    """Otherwise it would still write when the command is repeated."""
    script = "import sys, time\nprint('works', flush=True)\ntime.sleep(60)"
    command = [sys.executable, "-c", RUN_STAGE, sys.executable, script, str(tmp_path / "log.txt")]
    retraining = subprocess.Popen(command, cwd=ROOT / "training", stdout=subprocess.PIPE, text=True)
    assert retraining.stdout is not None
    stage = int(retraining.stdout.readline())
    assert retraining.stdout.readline() == "works\n"
    retraining.kill()
    retraining.wait()
    for _ in range(100):
        if not is_running(stage):
            break
        time.sleep(0.1)
    assert not is_running(stage)


def is_running(process: int) -> bool:
    """A process that ended stays in the list until its parent asks for it."""
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_fraction_is_trained_in_folders_of_its_own(tables: Path) -> None:
    asked = asked_for(tables, "--fraction", "0.01")
    assert asked.model.is_relative_to(asked.work.folder)
    assert asked.work.folder != asked_for(tables).work.folder
    first, *others = stages_of(asked)
    assert first.name == "fraction"
    assert [stage.name for stage in others] == [stage.name for stage in stages_of(asked_for(tables))]
    assert not any(str(tables) in stage.command or "models/current" in stage.command for stage in others)
    with pytest.raises(SystemExit, match="must not replace models/current"):
        asked_for(tables, "--fraction", "0.01", "--model", "models/current")


def test_the_stages_of_a_folder_of_tables_exist_and_are_named_in_the_readme(tables: Path) -> None:
    poses = ("--reference-poses", str(tables / "poses.sdf"))
    stages = stages_of(asked_for(tables, "--fraction", "0.01", *poses))
    names = [stage.name for stage in stages]
    assert len(set(names)) == len(names)
    assert [stage.name for stage in stages_of(asked_for(tables))] == names[1:-4]
    assert names[-4:] == ["differences", "poses", "own-poses", "card"]
    page = (ROOT / "training/README.md").read_text()
    for stage in stages:
        assert f"`{stage.name}`" in page
        if "-m" in stage.command:
            assert stage.command[3] in STAGES
        else:
            assert (ROOT / stage.command[1]).exists()


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert f"python3 -m affinity_model {command}" in capsys.readouterr().out or command == "retrain"
    with pytest.raises(SystemExit, match="one of: retrain, fraction"):
        main(["retrian"])
