"""Starts the real product, with its embedded database and model, once for all tests: `pytest clients/python/tests`.

Requires `npm run setup`. PKDEX_NODE: path of the Node to run it with, if not the pinned one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from pkdex import Client

root = Path(__file__).resolve().parents[3]
# The product allows itself 20 s.
STOP_SECONDS_MAX = 40
_inherited = ("PATH", "HOME", "TMPDIR", "LANG")


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    flags = json.loads((root / "apps/server/node-flags.json").read_text())
    log = tmp_path_factory.mktemp("product") / "log"
    settings = {"PORT": "0", "DATA_DIR": str(log.parent / "data"), "RATE_LIMIT": "off"}
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [node(), *flags, "apps/server/src/main/all.ts"],
            cwd=root,
            env={name: os.environ[name] for name in _inherited if name in os.environ} | settings,
            # A file, not a pipe: nothing reads it, and the product would block once a pipe is full.
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as product,
    ):
        try:
            yield _address(product, log)
        finally:
            product.terminate()
            try:
                product.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                product.kill()
                raise


@pytest.fixture
def api_key(url: str) -> str:
    """The key of a new user, who has 100 credits, one target (`1hpv`) and no compounds."""
    return sign_in(url)


@pytest.fixture
def client(url: str, api_key: str) -> Iterator[Client]:
    with Client(url, api_key) as client:
        client.upload_target(root / "samples/1hpv.pdb")
        yield client


@pytest.fixture
def open_client(url: str, api_key: str) -> Iterator[Callable[[httpx.BaseTransport], Client]]:
    """Opens more clients of the same user, which never wait, with the given transport."""
    opened: list[Client] = []

    def open_one(transport: httpx.BaseTransport) -> Client:
        opened.append(Client(url, api_key, transport=transport, sleep=lambda _: None))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def sign_in(url: str) -> str:
    """An API key of a new user, created through the development identity provider."""
    with httpx.Client(base_url=url, timeout=60) as http:
        person = {"email": f"{uuid.uuid4().hex}@lab.example", "name": "Ada"}
        token = http.post("/dev/identity/token", json=person).raise_for_status().json()
        verified = http.post("/connection/verify-google", json=token).raise_for_status()
        return str(verified.json()["api_key"])


def node() -> str:
    pinned = sorted(root.glob("node_modules/node-linux-*/bin/node"))
    found = os.environ.get("PKDEX_NODE") or (str(pinned[0]) if pinned else shutil.which("node"))
    assert found is not None, "There is no Node to run the product with."
    return found


def _address(product: subprocess.Popen[bytes], log: Path) -> str:
    """Returns the address that the server prints when it is ready."""
    while product.poll() is None:
        if ready := re.search(r"ready at (http\S+)", log.read_text()):
            return ready[1]
        time.sleep(0.1)
    raise AssertionError(f"The product has ended before it was ready:\n{log.read_text()}")
