"""Which stages of a retraining run, in which order, and what is skipped."""

import os
import sys
from pathlib import Path

import pytest

from affinity_model.retrain import Asked, Stage, retrain, run_command, stages_of


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


def test_the_stages_of_a_folder_of_tables_exist_and_are_named_in_the_readme(tables: Path) -> None:
    root = Path(__file__).parents[2]
    asked = Asked(tables, tables, tables / "poses.sdf", Path("models/current"))
    stages = stages_of(asked)
    names = [stage.name for stage in stages]
    assert len(set(names)) == len(names)
    assert [stage.name for stage in stages_of(Asked(tables, tables, None, asked.model))] == names[:-2]
    page = (root / "training/README.md").read_text()
    for stage in stages:
        assert f"`{stage.name}`" in page
        if "-m" in stage.command:
            module = stage.command[2].removeprefix("affinity_model.")
            assert (root / f"training/affinity_model/{module}.py").exists()
        else:
            assert (root / stage.command[1]).exists()
