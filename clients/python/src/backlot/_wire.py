"""What requests and replies look like, for the client with and without asyncio."""

from __future__ import annotations

import base64
import ipaddress
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2

from backlot._tools import ERRORS
from backlot.errors import BacklotError, ToolError

#: How long a call may take, in seconds. A wait on a real clock may take a minute.
DEFAULT_TIMEOUT = 120.0
#: The most calls of one message over the WebSocket.
MAX_CALLS = 1024
#: The server ends a message at 16 MiB of results, and at least one result may be longer.
MAX_MESSAGE_BYTES = 256 * 1024 * 1024

Result = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A call of a batch.

    Attributes:
        tool: The name of the tool.
        args: Its arguments.
        session_id: Another desktop of the same server, or None for the one that sends the batch.
    """

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    session_id: str | None = None


def given(args: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments that have a value."""
    return {name: value for name, value in (args or {}).items() if value is not None}


def headers_of(harness_token: str | None, bearer: str | None) -> dict[str, str]:
    return {
        **({"x-harness-token": harness_token} if harness_token is not None else {}),
        **({"authorization": f"Bearer {bearer}"} if bearer is not None else {}),
    }


def client_options(url: str, harness_token: str | None, bearer: str | None, timeout: float) -> dict[str, Any]:
    """Options of the HTTP client, with and without asyncio."""
    return {
        "base_url": url,
        "headers": headers_of(harness_token, bearer),
        "timeout": timeout,
        "limits": httpx2.Limits(max_connections=None, max_keepalive_connections=256),
        # A proxy of the environment cannot reach a server on this machine.
        "trust_env": not _is_loopback(url),
    }


def redirected_to(response: httpx2.Response, url: str) -> tuple[str, str] | None:
    """Where a balancer wants a session to be opened, and the path of that server below ``url``.

    Raises:
        BacklotError: It is another host, which would get the tokens.
    """
    if response.next_request is None:
        return None
    target, base = response.next_request.url, httpx2.URL(url)
    if (target.scheme, target.host, target.port) != (base.scheme, base.host, base.port):
        raise BacklotError(f"{url} redirects to another host, {target}; connect to that one")
    return str(target), target.path.removesuffix("/sessions").removeprefix(base.path.rstrip("/"))


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def socket_url(url: str) -> str:
    return f"ws{url.removeprefix('http')}/api/session/socket"


def error_of(body: Mapping[str, Any], tool: str | None = None, status: int | None = None) -> ToolError:
    """The exception for a refusal, in the shape of either version of the protocol."""
    error = body.get("error_detail", body.get("error"))
    if not isinstance(error, dict):
        return ToolError("Internal", f"status {status}: {str(body)[:500]}", tool=tool)
    code = str(error.get("code"))
    return ERRORS.get(code, ToolError)(
        code,
        str(error.get("message")),
        recoverable=error.get("recoverable") is True,
        remedy=error.get("suggested_next_tool"),
        context=error.get("context"),
        tool=tool,
    )


def result_of(response: httpx2.Response, tool: str | None = None) -> Result:
    """The JSON object of a response.

    Raises:
        ToolError: The server refused the request.
    """
    try:
        body = json.loads(response.content) if response.content else {}
    except ValueError:
        body = {"error": response.text}
    if not isinstance(body, dict):
        body = {"error": body}
    if response.is_success and body.get("ok") is not False:
        return body
    raise error_of(body, tool, response.status_code)


def message_of(calls: Sequence[Call], binary: bool) -> str:
    """The text of a message with calls."""
    return json.dumps(
        [
            {
                "tool": call.tool,
                "args": given(call.args),
                **({} if call.session_id is None else {"session_id": call.session_id}),
                **({"binary": True} if binary else {}),
            }
            for call in calls
        ]
    )


def answers_of(text: str, calls: Sequence[Call]) -> list[Result | ToolError]:
    """The results of a message, with an error in the place of each refused call."""
    answers = json.loads(text)
    if not isinstance(answers, list):
        raise error_of(answers)
    return [
        error_of(answer, call.tool) if answer.get("ok") is False else answer
        for answer, call in zip(answers, calls, strict=True)
    ]


def frames_of(answers: Sequence[Result | ToolError]) -> list[Result]:
    """The pictures of results whose pixels follow in binary frames, in the order of the frames."""
    found = []
    for answer in answers:
        if isinstance(answer, ToolError):
            continue
        screenshot = answer.get("observation", {}).get("screenshot") or {}
        if isinstance(screenshot.get("data"), dict):
            found.append(screenshot)
    return sorted(found, key=lambda shot: int(shot["data"]["frame"]))


def bytes_of(data: str) -> bytes:
    return base64.b64decode(data)


def step_args(
    actions: Sequence[Mapping[str, Any]],
    observe: str,
    max_steps: int | None,
    on_harm: str | None,
    more: Mapping[str, Any],
) -> dict[str, Any]:
    """The arguments of session_step for one or several actions."""
    which = {"action": actions[0]} if len(actions) == 1 else {"actions": list(actions)}
    return {**which, "observe": observe, "max_steps": max_steps, "on_harm": on_harm, **more}
