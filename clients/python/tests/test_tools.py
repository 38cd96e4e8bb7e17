"""Every tool once, with arguments that fit or an error that says why they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import backlot
from backlot import Desktop, Server

NAME = 'Edit "Username"'
LOGIN = 'Button "Login"'

#: What each tool is called with, and the code of the error that it raises there, if any.
CASES: dict[str, tuple[dict[str, Any], str | None]] = {
    "assert_state": ({"predicate": [{"kind": "element_exists", "selector": NAME}]}, None),
    "bring_to_foreground": ({"window_index": 0}, None),
    "capture_screen": ({"max_width": 64, "format": "jpeg"}, None),
    "clear_text": ({"selector": NAME}, None),
    "click_at": ({"x": 5, "y": 5}, None),
    "click_element": ({"selector": NAME}, None),
    "click_element_and_observe": ({"selector": NAME}, None),
    "double_click_at": ({"x": 5, "y": 5}, None),
    "double_click_element": ({"selector": NAME}, None),
    "drag": ({"from_": {"x": 5, "y": 5}, "to": {"x": 50, "y": 50}}, None),
    "find_element": ({"selector": NAME}, None),
    "finish": ({"status": "infeasible", "text": "no"}, None),
    "focus_element": ({"selector": NAME}, None),
    "get_annotations": ({}, None),
    "get_budget_status": ({}, None),
    "get_capabilities": ({}, None),
    "get_clipboard": ({}, None),
    "get_full_screenshot": ({}, None),
    "get_monitors": ({}, None),
    "get_ocr": ({}, None),
    "get_pointer": ({}, None),
    "get_redaction_status": ({}, None),
    "get_screen_description": ({}, None),
    "get_screen_outline": ({}, None),
    "get_screen_sketch": ({}, None),
    "get_screenshot": ({}, None),
    "get_screenshot_cropped": ({"bbox": {"x": 5, "y": 5, "width": 20, "height": 20}}, None),
    "get_visible_areas": ({}, None),
    "get_window_structure": ({}, None),
    "hold_key": ({"keys": "shift", "duration_ms": 10}, None),
    "hover_at": ({"x": 5, "y": 5}, None),
    "hover_element": ({"selector": LOGIN}, None),
    "invoke_element": ({"selector": LOGIN}, None),
    "key_down": ({"key": "shift"}, None),
    "key_into_element": ({"selector": NAME, "keys": "a"}, None),
    "key_up": ({"key": "shift"}, None),
    "list_disk_files": ({}, None),
    "list_windows": ({}, None),
    "load_scenario": ({"path": "login"}, None),
    "mouse_click": ({"x": 5, "y": 5, "modifiers": ["ctrl"]}, None),
    "mouse_down": ({}, None),
    "mouse_drag": ({"path": [{"x": 5, "y": 5}, {"x": 50, "y": 50}]}, None),
    "mouse_scroll": ({"delta_y": 1}, None),
    "mouse_up": ({}, None),
    "move_pointer": ({"x": 5, "y": 5}, None),
    "observe_window": ({}, None),
    "press_key": ({"keys": "tab"}, None),
    "press_key_and_observe": ({"keys": "tab"}, None),
    "press_keys": ({"keys": "tab", "repeat": 2}, None),
    "propose_action": ({"action": "click_element", "args": {"selector": LOGIN}}, None),
    "read_disk_file": ({"path": "/home/user/nowhere.txt"}, "BadRequest"),
    "replay_start": ({"path": "nowhere.jsonl"}, "BadRequest"),
    "replay_status": ({"replay_id": "nowhere"}, "BadRequest"),
    "replay_step": ({"replay_id": "nowhere"}, "BadRequest"),
    "replay_stop": ({"replay_id": "nowhere"}, "BadRequest"),
    "right_click_at": ({"x": 5, "y": 5}, None),
    "right_click_element": ({"selector": NAME}, None),
    "scroll": ({"clicks": 1}, None),
    "select_option": ({"selector": NAME, "option_name": "x"}, "PatternUnsupported"),
    "session_advance": ({"ms": 10}, None),
    "session_fork": ({}, None),
    "session_info": ({}, None),
    "session_reset": ({"seed": 3}, None),
    "session_rewind": ({"to_step": 0}, None),
    "session_step": ({"action": {"tool": "press_key", "args": {"keys": "tab"}}}, None),
    "set_clipboard": ({"text": "x"}, None),
    "set_value": ({"selector": NAME, "value": "x"}, None),
    "snapshot": ({}, None),
    "snapshot_diff": ({"a": "nowhere", "b": "nowhere"}, "SnapshotExpired"),
    "snapshot_drop": ({"snapshot_id": "nowhere"}, None),
    "snapshot_get": ({"snapshot_id": "nowhere"}, "SnapshotExpired"),
    "trace_start": ({"label": "python"}, None),
    "trace_status": ({}, None),
    "trace_stop": ({}, "BadRequest"),
    "type_and_observe": ({"text": "x"}, None),
    "type_text": ({"text": "x"}, None),
    "wait": ({"duration_ms": 10}, None),
    "wait_for": ({"any_of": [{"type": "element_appears", "selector": NAME}]}, None),
    "wait_idle": ({}, None),
    "webmcp_call": ({"name": "search"}, "PermissionDenied"),
    "webmcp_list": ({}, "PermissionDenied"),
    "write_disk_file": ({"path": "/home/user/new.txt", "content": "x"}, None),
}


def test_every_tool_has_a_case() -> None:
    assert tuple(CASES) == backlot.TOOLS


@pytest.mark.parametrize("tool", CASES)
def test_tool(tool: str, server: Server) -> None:
    args, code = CASES[tool]
    with server.open("login", seed=1) as desktop:
        method: Callable[..., dict[str, Any]] = getattr(desktop, tool)
        if code is None:
            assert method(**args)["ok"] is True
            return
        with pytest.raises(backlot.ToolError) as raised:
            method(**args)
        assert (raised.value.code, raised.value.tool) == (code, tool)


def test_arguments_that_are_none_are_not_sent(login: Desktop) -> None:
    assert login.click_element(selector=NAME, element_id=None, count=None)["ok"] is True
