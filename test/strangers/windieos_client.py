"""A client of WindieOS, written from its documents, as strict as the official one.

It asks for the identity of its token before it connects. A streamed event counts only with the conversation_ref of its
query; then it needs an event_id and the next number of its turn, and an event of another turn is dropped.
"""

import asyncio
import json
import os
import sys
import urllib.request
import uuid

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

URL, TOKEN, TEXT = (os.environ[f"BACKLOT_{name}"] for name in ("URL", "TOKEN", "TEXT"))
BEARER = {"Authorization": f"Bearer {TOKEN}"}
POLICY_VIOLATION = 1008
DELAYS_S = (0.5, 1, 2, 4, 8)
SIDE_EVENTS = ("client-tool-manifest", "remote-tool-catalog", "audio-chunk", "settings-updated", "models-listed")


class TurnFailed(Exception):
    pass


def identity():
    with urllib.request.urlopen(urllib.request.Request(f"{URL}/api/install/me", headers=BEARER), timeout=10) as answer:
        install = json.load(answer)
    if not (install.get("user_id") and install.get("install_id")):
        raise TurnFailed("the server does not know the owner of the token")
    return install["user_id"]


class Turn:
    def __init__(self, user):
        self.user = user
        self.id, self.conversation = f"turn_{uuid.uuid4()}", f"conversation_{uuid.uuid4()}"
        self.expected, self.seen, self.is_sent, self.final = 1, set(), False, None

    def envelope(self, kind, payload, identifier=None):
        message = {"id": identifier or str(uuid.uuid4()), "type": kind, "payload": payload}
        return json.dumps({**message, "timestamp": "2025-01-20T10:00:00Z", "user_id": self.user})

    def query(self):
        content = f"<user_query>\n{TEXT}\n</user_query>"
        return self.envelope("query", {"text": TEXT, "content": content, "conversation_ref": self.conversation}, self.id)

    def is_mine(self, event):
        """Whether an event belongs to the turn and is not a repetition."""
        if event["type"] in SIDE_EVENTS or event.get("conversation_ref") != self.conversation:
            return False
        if event.get("turn_ref") != self.id or event.get("event_id") in self.seen:
            return False
        if not isinstance(event.get("event_id"), str) or not event["event_id"]:
            raise TurnFailed(f"{event['type']} has no event_id")
        if event.get("sequence") != self.expected:
            raise TurnFailed(f"{event['type']} has the sequence {event.get('sequence')}, not {self.expected}")
        self.seen.add(event["event_id"])
        self.expected += 1
        return True

    def answer(self, event):
        """The message that a tool event calls for."""
        payload = event["payload"]
        if event["type"] == "tool-call":
            data = {"output": f"Tool {payload['tool_name']} executed successfully (no output)."}
            return self.envelope("tool-result", {"request_id": payload["request_id"], "success": True, "data": data})
        steps = [{"tool": step["name"], "status": "ok", "output": "done"} for step in payload["tools"]]
        results = {"bundle_id": payload["bundle_id"], "status": "success", "step_results": steps}
        return self.envelope("tool-bundle-result", results)

    async def play(self, socket):
        handshake = {"type": "handshake", "user_id": self.user, "agent_definition": {"version": 1}}
        await socket.send(json.dumps(handshake))
        if not self.is_sent:
            await socket.send(self.query())
            self.is_sent = True
        async for frame in socket:
            event = json.loads(frame)
            if event["type"] == "error":
                is_of_turn = event.get("conversation_ref", self.conversation) == self.conversation
                if is_of_turn or event.get("id") == self.id:
                    raise TurnFailed(event["payload"].get("message"))
            elif self.is_mine(event):
                if event["type"] in ("tool-call", "tool-bundle"):
                    await socket.send(self.answer(event))
                if event["type"] == "streaming-complete":
                    self.final = event["payload"].get("final_response", "")
                    return


async def main():
    turn = Turn(identity())
    for delay in DELAYS_S:
        try:
            async with connect(URL.replace("http", "ws", 1) + "/ws", additional_headers=BEARER) as socket:
                await turn.play(socket)
                closed = socket.close_code
        except ConnectionClosed as reason:
            closed = reason.code
        except OSError:
            closed = None
        if turn.final is not None:
            print(turn.final)
            return
        if closed == POLICY_VIOLATION:
            raise TurnFailed("the server refuses the handshake")
        await asyncio.sleep(delay)
    raise TurnFailed("the server cannot be reached")


try:
    asyncio.run(main())
except TurnFailed as failure:
    sys.exit(str(failure))
