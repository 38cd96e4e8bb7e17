"""Expectations about a desktop, for tests of any runner. ``backlot.pytest_plugin`` has the fixtures for pytest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from backlot._tools import ElementNotFoundError, WindowGoneError
from backlot.desktop import Desktop


def expect(desktop: Desktop) -> Expectation:
    """Expectations about a desktop. Each raises an ``AssertionError`` that shows the screen if it does not hold.

    Example:
        >>> expect(desktop).to_have_text("Hello, alice")
        >>> expect(desktop).not_to_be_solved()
    """
    if not isinstance(desktop, Desktop):
        raise TypeError(f"expect() takes a Desktop, not {type(desktop).__name__}")
    return Expectation(desktop)


class Expectation:
    """What a desktop shall show at this moment. Nothing waits: a virtual clock stands still between actions."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop

    def to_have_element(self, selector: str, window: str | None = None) -> None:
        """An element matches the selector in the focused window, or in the window whose title contains ``window``."""
        self._check(self._element(selector, window), f"no element matches {selector}")

    def not_to_have_element(self, selector: str, window: str | None = None) -> None:
        """No element matches the selector."""
        self._check(not self._element(selector, window), f"{selector} matches")

    def to_have_text(self, text: str | re.Pattern[str]) -> None:
        """An element of the focused window shows this text, or a text in which the pattern is found."""
        self._check(self._text(text), f"{_shown(text)} is not shown")

    def not_to_have_text(self, text: str | re.Pattern[str]) -> None:
        """No element of the focused window shows the text."""
        self._check(not self._text(text), f"{_shown(text)} is shown")

    def to_be_solved(self) -> None:
        """The success oracles of the scenario hold, and no failure oracle does."""
        info = self._desktop.oracles()
        self._check(info["reward"] == 1, f"the scenario is not solved: {_verdict(info)}")

    def not_to_be_solved(self) -> None:
        """The success oracles do not hold, or a failure oracle does."""
        self._check(self._desktop.oracles()["reward"] != 1, "the scenario is solved")

    def _element(self, selector: str, window: str | None) -> bool:
        try:
            self._desktop.find_element(selector, window_title=window)
        except (ElementNotFoundError, WindowGoneError):
            return False
        return True

    def _text(self, text: str | re.Pattern[str]) -> bool:
        if isinstance(text, str):
            escaped = re.sub(r"[\\^$.*+?()\[\]{}|]", r"\\\g<0>", text)
            return self._desktop.assert_state(predicate=[{"kind": "text_visible", "regex": escaped}])["all_passed"]
        tree = self._desktop.get_window_structure()["tree"]
        return tree is not None and any(text.search(each) for each in _texts(tree))

    def _check(self, passed: bool, problem: str) -> None:
        __tracebackhide__ = True
        if not passed:
            raise AssertionError(f"{problem}. The screen shows:\n\n{sketch_of(self._desktop)}")


def sketch_of(desktop: Desktop) -> str:
    """The focused window in characters, without repeated empty rows."""
    rows = desktop.get_screen_sketch()["sketch"].split("\n")
    kept = [row for index, row in enumerate(rows) if index == 0 or row != rows[index - 1] or any(map(str.isalnum, row))]
    return "\n".join(kept)


def _shown(text: str | re.Pattern[str]) -> str:
    return f'"{text}"' if isinstance(text, str) else f"a text that matches {text.pattern!r}"


def _texts(element: Mapping[str, Any]) -> Iterator[str]:
    for key in ("name", "value"):
        if isinstance(element.get(key), str):
            yield element[key]
    for child in element.get("children", ()):
        yield from _texts(child)


def _verdict(info: Mapping[str, Any]) -> str:
    oracles: Mapping[str, list[dict[str, Any]]] = info["oracles"] or {}
    failed = [each for each in oracles.get("success", []) if not each["passed"]]
    broken = [each for each in oracles.get("failure", []) if each["passed"]]
    words = [str(each.get("message", each["kind"])) for each in [*broken, *failed]]
    return "; ".join(words) or f"the reward is {info['reward']}"
