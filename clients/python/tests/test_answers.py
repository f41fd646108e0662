"""The types of answers follow the API."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import node, root


def test_the_types_of_answers_are_those_of_the_openapi_document(tmp_path: Path) -> None:
    written = tmp_path / "answers.py"
    command = [node(), "tools/client-types.ts", str(written)]
    subprocess.run(command, cwd=root, env={**os.environ, "PYTHON": sys.executable}, check=True)
    shipped = root / "clients/python/src/pkdex/answers.py"
    assert written.read_text() == shipped.read_text(), "run `npm run client-types`"
