"""Environments for ``environment_factory`` of TRL. They need only this package.

>>> trainer = GRPOTrainer(model=model, train_dataset=rows, environment_factory=environment("login"))

Columns ``scenario``, ``seed`` and ``variant`` of a row choose the episode.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any, Literal

from backlot.desktop import Desktop
from backlot.errors import ToolError
from backlot.harnesses import shared_server
from backlot.server import Server

_MAX_CHARACTERS = 20_000


class BacklotEnv:
    """One desktop. Public methods other than ``reset`` and ``get_reward`` are the tools of the model.

    TRL makes it without arguments, one for each concurrent rollout, and resets it often.
    """

    scenario: str = "login"
    images: bool = False
    reward: Literal["oracle", "score"] = "oracle"
    server: Server | None = None

    def __init__(self) -> None:
        self._desktop: Desktop = (self.server or shared_server()).open(self.scenario)
        weakref.finalize(self, self._desktop.close)

    def reset(self, **row: Any) -> str | list[dict[str, Any]]:
        """Starts the episode of a row. Returns the task and the screen."""
        given = {name: row[name] for name in ("variant", "faults") if row.get(name) is not None}
        scenario = row.get("scenario") or self.scenario
        self._desktop.reset(seed=row.get("seed"), observe="none", scenario=scenario, **given)
        text = f"Task: {self._desktop.task}\n\n{self._screen()}"
        if not self.images:
            return text
        return [{"type": "image", "image": self._desktop.screenshot("pil")}, {"type": "text", "text": text}]

    def get_reward(self) -> float:
        """The verdict of the oracles: 1, 0 or -1, or the score from 0 to 1."""
        info = self._desktop.oracles()
        value = info["reward"] if self.reward == "oracle" else info["score"]
        return float(value or 0)

    def click(self, element: str) -> str:
        """Click an element of the focused window.

        Args:
            element: A selector, such as Button "Save" or Edit "Name".
        """
        return self._act("click_element", {"selector": element})

    def type_text(self, element: str, text: str) -> str:
        """Replace the value of a field.

        Args:
            element: A selector of the field, such as Edit "Name".
            text: The new value.
        """
        return self._act("set_value", {"selector": element, "value": text})

    def press(self, keys: str) -> str:
        """Press a key or chord in the focused element.

        Args:
            keys: The keys, such as enter, tab or ctrl+s.
        """
        return self._act("press_key", {"keys": keys})

    def scroll(self, clicks: int) -> str:
        """Turn the mouse wheel at the pointer.

        Args:
            clicks: The number of clicks; positive ones scroll up.
        """
        return self._act("scroll", {"clicks": clicks})

    def screenshot(self) -> str:
        """Read the focused window again."""
        return self._screen()

    def finish(self, status: str = "done", answer: str = "") -> str:
        """End the run.

        Args:
            status: done, or infeasible if the task is impossible.
            answer: The answer, if the task asks for one.
        """
        self._desktop.call("finish", {"status": status, "text": answer})
        return "The run has ended."

    def _act(self, tool: str, args: Mapping[str, Any]) -> str:
        """What the model reads: the screen after the action, or why it was refused."""
        try:
            self._desktop.call(tool, dict(args))
        except ToolError as error:
            return f"Refused: {error.message}"
        return self._screen()

    def _screen(self) -> str:
        return self._desktop.get_screen_description()["description"][:_MAX_CHARACTERS]


def environment(
    scenario: str = "login",
    *,
    images: bool = False,
    reward: Literal["oracle", "score"] = "oracle",
    server: Server | None = None,
) -> Callable[[], BacklotEnv]:
    """A factory for ``environment_factory``: a class without arguments, with these options.

    Args:
        scenario: The scenario of rows without a column ``scenario``.
        images: Whether ``reset`` returns a picture beside the text.
        reward: The verdict (1, 0, -1) or the score (0 to 1).
        server: The server of the desktops; by default all of a process share one.
    """
    return type(
        "BacklotEnv", (BacklotEnv,), {"scenario": scenario, "images": images, "reward": reward, "server": server}
    )
