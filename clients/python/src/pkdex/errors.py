"""Exceptions. `str(error)` is the server's message."""

from __future__ import annotations


class PkdexError(Exception):
    """Base class of all errors of this client."""


class OutOfReach(PkdexError):
    """The server did not respond, also after retries."""


class AnswerError(PkdexError):
    """Unexpected response; client and server versions may be incompatible."""


class TooCostly(PkdexError):
    """A screen would cost more than `credits_max`; nothing was charged."""


class ScreenFailed(PkdexError):
    """A screen failed or was cancelled. Pairs not predicted were refunded."""


class Refused(PkdexError):
    """The server returned an error."""

    def __init__(self, sentence: str, *, status: int, code: str, request_id: str | None = None) -> None:
        """`status` is the HTTP status; `code` is the server's error code, for example `out_of_credits`."""
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.request_id = request_id


class InvalidRequest(Refused):
    """400, 413, 415, 422: invalid request; see the message."""


class NotSignedIn(Refused):
    """401, 403: key missing, revoked or not permitted."""


class OutOfCredits(Refused):
    """402: too few credits; nothing was charged."""


class NotFound(Refused):
    """404: not found among your data."""


class Conflict(Refused):
    """409: conflict, for example the same key used for a different request."""


class Unavailable(Refused):
    """503: the server is busy or unavailable, also after retries."""

    retry_after_s: float | None = None


class TooManyRequests(Unavailable):
    """429: too many requests; `retry_after_s` is the time to wait, in seconds."""


_by_status: dict[int, type[Refused]] = {
    400: InvalidRequest,
    401: NotSignedIn,
    402: OutOfCredits,
    403: NotSignedIn,
    404: NotFound,
    409: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: TooManyRequests,
    503: Unavailable,
}


def refusal(status: int, body: object, retry_after_s: float | None = None) -> Refused:
    """Returns the exception for an error response; `body` is its JSON, if any."""
    said = body if isinstance(body, dict) else {}
    sentence = said.get("message") or said.get("detail") or f"The server answered {status}."
    error = _by_status.get(status, Refused)(
        str(sentence),
        status=status,
        code=str(said.get("code") or "unknown"),
        request_id=said.get("request_id"),
    )
    if isinstance(error, Unavailable):
        error.retry_after_s = retry_after_s
    return error
