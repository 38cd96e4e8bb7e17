from __future__ import annotations

from typing import Any

import numpy
import pytest

import backlot
from backlot import Desktop
from backlot.frames import FrameReader

SHARED = {"observe": "none", "screenshot": True, "screenshot_format": "shared"}


def press(keys: str) -> dict[str, Any]:
    return {**SHARED, "action": {"tool": "press_key", "args": {"keys": keys}}}


def test_a_frame_is_the_screenshot_without_a_copy(login: Desktop) -> None:
    frames = FrameReader()
    with login.socket() as socket:
        first = frames.read(socket.call("session_reset", SHARED))
        assert first.changed == [(0, 0, 1280, 800)]
        assert numpy.array_equal(first.pixels[:, :, :3], login.screenshot("numpy"))
        before = first.pixels.copy()
        second = frames.read(socket.call("session_step", press("tab")))
        assert numpy.array_equal(second.pixels[:, :, :3], login.screenshot("numpy"))
        assert numpy.shares_memory(first.pixels, second.pixels)
        assert not second.pixels.flags.writeable
    outside = numpy.ones(before.shape[:2], bool)
    for x, y, width, height in second.changed:
        assert not numpy.array_equal(
            before[y : y + height, x : x + width], second.pixels[y : y + height, x : x + width]
        )
        outside[y : y + height, x : x + width] = False
    assert numpy.array_equal(before[outside], second.pixels[outside])


def test_a_screen_of_another_size_has_a_file_of_its_own(login: Desktop) -> None:
    frames = FrameReader()
    small = {**SHARED, "variant": {"resolution": "1024x768"}}
    shapes = []
    for args in (SHARED, small, SHARED):
        shown = frames.read(login.call("session_reset", {"scenario": "login", **args}))
        shapes.append(shown.pixels.shape)
        assert numpy.array_equal(shown.pixels[:, :, :3], login.screenshot("numpy"))
    assert shapes == [(800, 1280, 4), (768, 1024, 4), (800, 1280, 4)]


def test_a_server_without_shared_frames_refuses() -> None:
    with backlot.launch("login", shared_frames=False) as server, pytest.raises(backlot.PlatformUnsupportedError):
        server.desktop().call("session_reset", SHARED)
