"""Sends requests and retries those that are safe to retry (never executed or charged twice).

A request is retried if the server rejected it unread (429, after its `Retry-After`) or could not be
reached. An idempotent request is also retried if the server was unavailable (503) or its response was
lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from pkdex.errors import OutOfReach, refusal

API_KEY_HEADER = "API-Key"
ORDER_KEY_HEADER = "Idempotency-Key"

_first_pause_s = 0.25
_longest_own_pause_s = 8.0


@dataclass(frozen=True)
class Call:
    """One request, sent the same way each time."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    files: Any = None
    form: Mapping[str, str] | None = None
    accept: str = "application/json"
    order_key: str | None = None
    """Idempotency key: the server executes the request once."""
    is_repeatable: bool = False
    """Idempotent. Reads and requests with an order key always are."""

    @property
    def may_repeat(self) -> bool:
        """Whether it may be sent again if it is unknown whether the server received it."""
        return self.is_repeatable or self.method == "GET" or self.order_key is not None


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds, and how often to retry."""

    timeout_s: float
    retries: int
    longest_pause_s: float
    """If `Retry-After` exceeds this, the error is raised instead."""


class Sender:
    """Sends HTTP requests with one API key."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        patience: Patience,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`transport` and `sleep` are for tests."""
        self._patience = patience
        self._sleep = sleep
        self._http = httpx.Client(
            base_url=base_url.rstrip("/"),
            headers={API_KEY_HEADER: api_key},
            timeout=patience.timeout_s,
            transport=transport,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def send(self, call: Call) -> httpx.Response:
        """Returns the response; an error response is raised."""
        attempt = 0
        while True:
            try:
                answer = self._send_once(call)
            except httpx.TransportError as error:
                if attempt >= self._patience.retries or not _may_follow(call, error):
                    raise OutOfReach(f"The server gave no answer: {error or type(error).__name__}") from error
                pause_s = _own_pause_s(attempt)
            else:
                if answer.is_success:
                    return answer
                asked_s = _retry_after_s(answer)
                pause_s = _own_pause_s(attempt) if asked_s is None else asked_s
                is_last = attempt >= self._patience.retries or pause_s > self._patience.longest_pause_s
                if is_last or not _may_follow_refusal(call, answer.status_code):
                    raise refusal(answer.status_code, _json_of(answer), asked_s)
            attempt += 1
            self._sleep(pause_s)

    def _send_once(self, call: Call) -> httpx.Response:
        headers = {"Accept": call.accept}
        if call.order_key is not None:
            headers[ORDER_KEY_HEADER] = call.order_key
        return self._http.request(
            call.method,
            call.path,
            params={name: value for name, value in call.query.items() if value is not None},
            json=call.json,
            files=call.files,
            data=call.form,
            headers=headers,
        )


def _may_follow(call: Call, error: httpx.TransportError) -> bool:
    """If the connection failed, the request was not received; after that it may have been."""
    return call.may_repeat or isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def _may_follow_refusal(call: Call, status: int) -> bool:
    """A 503 can follow a lost database connection after the request was committed."""
    return status == 429 or (status == 503 and call.may_repeat)


def _own_pause_s(attempt: int) -> float:
    return float(min(_first_pause_s * 2**attempt, _longest_own_pause_s))


def _retry_after_s(answer: httpx.Response) -> float | None:
    """In seconds; the server never sends a date."""
    try:
        return max(0.0, float(answer.headers.get("Retry-After", "")))
    except ValueError:
        return None


def _json_of(answer: httpx.Response) -> object:
    try:
        return answer.json()
    except ValueError:
        return None
