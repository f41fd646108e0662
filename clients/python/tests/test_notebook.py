"""The notebook runs from the first cell to the last in its own kernel, and is committed without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

file = Path(__file__).resolve().parents[1] / "notebook.ipynb"


def test_the_notebook_runs_against_the_product_and_ends_with_a_ranking(
    url: str, api_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PKDEX_URL", url)
    monkeypatch.setenv("PKDEX_API_KEY", api_key)
    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, timeout=200, resources={"metadata": {"path": str(file.parent)}}).execute()
    shown = {cell.id: str(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"}
    assert "predicted_kd=" in shown["predict"]
    assert "amprenavir" in shown["rank"] and "text/html" in shown["rank"]
    assert "added=4" in shown["measure"]
    assert "credits=89" in shown["left"]


def test_the_notebook_is_committed_without_outputs() -> None:
    cells = [cell for cell in nbformat.read(file, as_version=4).cells if cell.cell_type == "code"]
    assert len(cells) > 5
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
