"""What can go wrong, as exceptions. `str(error)` is the server's own sentence, written for the person who reads it."""

from __future__ import annotations


class PkdexError(Exception):
    """Any failure of a call."""


class OutOfReach(PkdexError):
    """The server gave no answer in time, or none at all, however often it was asked."""


class AnswerError(PkdexError):
    """The server answered something that this client does not understand: their versions differ too much."""


class TooCostly(PkdexError):
    """A screen would cost more credits than `credits_max`; nothing was spent."""


class ScreenFailed(PkdexError):
    """A screen ended without being done: it failed, or was cancelled. What was not predicted came back."""


class Refused(PkdexError):
    """The server answered, and not with what was asked for."""

    def __init__(self, sentence: str, *, status: int, code: str, request_id: str | None = None) -> None:
        """`status` is HTTP's; `code` is the server's word for the reason, for example `out_of_credits`."""
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.request_id = request_id


class InvalidRequest(Refused):
    """400, 413, 415, 422: what was sent cannot be used, and the sentence says why."""


class NotSignedIn(Refused):
    """401, 403: the key is missing, has been revoked, or its owner may not."""


class OutOfCredits(Refused):
    """402: the account has too few credits; nothing was spent."""


class NotFound(Refused):
    """404: there is no such thing among your own."""


class Conflict(Refused):
    """409: it contradicts something that is there, for example another order under the same key."""


class Unavailable(Refused):
    """503: the server cannot take it now, and did not the last time it was asked either."""

    retry_after_s: float | None = None


class TooManyRequests(Unavailable):
    """429: too many calls; `retry_after_s` says when the next may be made, in seconds."""


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
    """The exception for an answer with an error's status; `body` is its JSON, if it had any."""
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
