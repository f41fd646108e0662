"""Which requests are retried, when, and that none is charged twice."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from pkdex import AnswerError, Client, OutOfReach, TooManyRequests, Unavailable

aspirin = "CC(=O)Oc1ccccc1C(=O)O"
Answers = list[httpx.Response | httpx.TransportError]
credits = {"credits": 7, "credits_per_prediction": 1}


class LosesAnswers(httpx.BaseTransport):
    """The real product; the first response to each POST is lost."""

    def __init__(self, lost: int) -> None:
        self._real = httpx.HTTPTransport()
        self._to_lose = lost
        self.keys: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._real.handle_request(request)
        if request.method != "POST":
            return answer
        self.keys.append(request.headers.get("Idempotency-Key", ""))
        if len(self.keys) > self._to_lose:
            return answer
        answer.read()
        raise httpx.ReadError("The connection broke.", request=request)


def open_scripted(answers: Answers, waited: list[float] | None = None) -> tuple[Client, list[httpx.Request]]:
    """A client whose server returns these responses, one per request."""
    asked: list[httpx.Request] = []
    left = iter(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        answer = next(left)
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer

    sleep: Callable[[float], None] = (waited if waited is not None else []).append
    client = Client("http://server.example", "key", transport=httpx.MockTransport(handle), sleep=sleep)
    return client, asked


def busy(status: int, retry_after: str) -> httpx.Response:
    body = {"message": "Too many calls.", "detail": "Too many calls.", "code": "too_many_requests"}
    return httpx.Response(status, json=body, headers={"Retry-After": retry_after})


def test_a_prediction_with_a_lost_response_is_retried_and_charged_once(
    client: Client, open_client: Callable[[httpx.BaseTransport], Client]
) -> None:
    line = LosesAnswers(2)
    found = open_client(line).predict(aspirin, target="1hpv")
    assert found.predicted_kd is not None
    assert len(line.keys) == 3 and len(set(line.keys)) == 1 and line.keys[0]
    assert client.credits().credits == 99
    assert list(client.screens()) == [], "a call of predict is not listed as a screen"


def test_a_screen_with_a_lost_response_is_started_and_charged_once(
    client: Client, open_client: Callable[[httpx.BaseTransport], Client]
) -> None:
    client.add_compounds({"aspirin": aspirin})
    line = LosesAnswers(2)
    result = open_client(line).screen("1hpv")
    assert len(line.keys) == 3 and len(set(line.keys)) == 1
    assert [one.id for one in client.screens()] == [result.screen.id]
    assert client.credits().credits == 99


def test_waits_for_retry_after() -> None:
    waited: list[float] = []
    client, asked = open_scripted([busy(429, "7"), busy(503, "3"), httpx.Response(200, json=credits)], waited)
    assert client.credits().credits == 7
    assert waited == [7, 3]
    assert len(asked) == 3


def test_a_retry_after_above_the_limit_is_raised() -> None:
    waited: list[float] = []
    client, _ = open_scripted([busy(429, "3600")], waited)
    with pytest.raises(TooManyRequests, match="Too many calls") as refused:
        client.credits()
    assert refused.value.retry_after_s == 3600
    assert waited == []


def test_gives_up_after_the_last_retry() -> None:
    waited: list[float] = []
    client, asked = open_scripted([busy(503, "1")] * 6, waited)
    with pytest.raises(Unavailable):
        client.credits()
    assert len(asked) == 6
    client, asked = open_scripted([httpx.ReadTimeout("slow")] * 6, waited)
    with pytest.raises(OutOfReach, match="slow"):
        client.credits()
    assert len(asked) == 6


def test_a_request_that_is_not_idempotent_is_not_retried_once_it_may_have_arrived() -> None:
    done = httpx.Response(
        200, json={"added": 1, "replaced": 0, "repeated": 0, "rejected": [], "has_header": False}
    )
    for broken in (httpx.ReadTimeout("slow"), busy(503, "1")):
        client, asked = open_scripted([broken, done])
        with pytest.raises((OutOfReach, Unavailable)):
            client.add_measurements("1hpv", {"aspirin": 5})
        assert len(asked) == 1
    for unheard in (httpx.ConnectError("refused"), busy(429, "1")):
        client, asked = open_scripted([unheard, done])
        assert client.add_measurements("1hpv", {"aspirin": 5}).added == 1
        assert len(asked) == 2


def test_a_server_error_is_not_retried_and_includes_the_request_id() -> None:
    body = {"message": "Something went wrong on our side.", "code": "internal", "request_id": "r-1"}
    client, asked = open_scripted([httpx.Response(500, json=body)])
    with pytest.raises(Exception, match="on our side") as failed:
        client.credits()
    assert getattr(failed.value, "request_id", None) == "r-1"
    assert len(asked) == 1


def test_a_slow_order_is_polled_with_the_same_key() -> None:
    answer = {
        "status": "RUNNING",
        "target": {"name": "1hpv", "chain": "A"},
        "model_version": "1",
        "credits_charged": 1,
    }
    number = {"smiles": "C", "predicted_kd": 5.0, "interval": None, "domain": None, "reason": None}
    running = httpx.Response(200, json={**answer, "predictions": []})
    done = httpx.Response(200, json={**answer, "status": "DONE", "predictions": [number]})
    client, asked = open_scripted([running, done])
    assert client.predict("C", target="1hpv", order_key="mine").predicted_kd == 5
    assert [one.headers["Idempotency-Key"] for one in asked] == ["mine-0", "mine-0"]


def test_an_invalid_response_names_the_field() -> None:
    client, _ = open_scripted([httpx.Response(200, json={"credits": "many"})])
    with pytest.raises(AnswerError, match=r"Balance\.credits"):
        client.credits()
    client, _ = open_scripted([httpx.Response(200, json={})])
    with pytest.raises(AnswerError, match=r"lacks Balance\.credits"):
        client.credits()
    client, _ = open_scripted([httpx.Response(200, text="<html>")])
    with pytest.raises(AnswerError, match="not JSON"):
        client.credits()
