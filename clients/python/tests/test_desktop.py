from __future__ import annotations

import pickle

import numpy
import pytest

import backlot
from backlot import Call, Desktop, Server, ToolError
from tests.conftest import sign_in


def test_solves_a_scenario(login: Desktop) -> None:
    assert login.task == "Sign in to Acme as alice. Any password is accepted."
    before = login.oracles()
    sign_in(login)
    after = login.oracles()
    assert (before["reward"], before["score"]) == (0, 0)
    assert (after["reward"], after["score"]) == (1, 1)


def test_a_refused_call_raises_the_error_of_its_code_with_the_remedy(login: Desktop) -> None:
    with pytest.raises(backlot.ElementNotFoundError) as raised:
        login.locator('Button "Nowhere"').click()
    error = raised.value
    assert (error.code, error.remedy, error.recoverable, error.tool) == (
        "ElementNotFound",
        "find_element",
        True,
        "click_element",
    )
    assert str(error).startswith("click_element: ElementNotFound: no element matches")
    assert str(error).endswith("(try find_element)")
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), copied.context) == (type(error), str(error), error.context)


def test_a_wait_without_result_is_a_timeout_error(login: Desktop) -> None:
    with pytest.raises(TimeoutError) as raised:
        login.wait_for_selector('Button "Nowhere"', timeout_ms=100)
    assert isinstance(raised.value, backlot.TimeoutError)


def test_an_error_of_a_route_that_is_no_tool_has_its_class(server: Server) -> None:
    with pytest.raises(backlot.ScenarioInvalidError, match="nowhere"):
        server.open("nowhere")
    with pytest.raises(backlot.BadRequestError, match="seed"):
        server.open("login", seed="x")  # type: ignore[arg-type]


def test_screenshots_come_as_bytes_image_and_array(login: Desktop) -> None:
    png = login.screenshot()
    image = login.screenshot("pil")
    array = login.screenshot("numpy")
    assert png.startswith(b"\x89PNG")
    assert image.size == (1280, 800)
    assert (array.shape, array.dtype) == ((800, 1280, 3), numpy.dtype("uint8"))
    assert numpy.array_equal(numpy.asarray(image), array)


def test_raw_pixels_over_the_socket_are_those_of_the_picture(login: Desktop) -> None:
    with login.socket() as socket:
        args = {"observe": "none", "screenshot": True, "screenshot_format": "rgb"}
        shown = socket.call("session_reset", args, binary=True)["observation"]["screenshot"]
    pixels = numpy.frombuffer(shown["data"], numpy.uint8).reshape(shown["height"], shown["width"], 3)
    assert numpy.array_equal(pixels, login.screenshot("numpy"))


def test_observes_a_tree_and_then_what_changed(login: Desktop) -> None:
    first = login.observe()
    login.locator('Edit "Username"').type("alice")
    second = login.observe(since=first["tree_token"])
    assert first["tree"]["name"] == "Acme Login"
    assert "tree" not in second
    assert second["changes"]


def test_a_fork_continues_and_the_original_rewinds(login: Desktop) -> None:
    sign_in(login)
    steps = login.oracles()["step"]
    with login.fork() as fork:
        assert login.rewind(0)["step"] == 0
        assert (login.oracles()["reward"], fork.oracles()["reward"]) == (0, 1)
        assert fork.oracles()["step"] == steps
        assert fork.task == login.task


def test_steps_of_an_episode(login: Desktop) -> None:
    start = login.reset(seed=2, observe="outline", max_steps=3)
    assert login.task == start["info"]["task"] == "Sign in to Acme as dave. Any password is accepted."
    assert start["observation"]["outline"].startswith('- Window "Acme Login"')
    refused = login.step("click_element", {"selector": 'Button "Nowhere"'}, observe="none")
    assert refused["info"]["action"]["error"]["code"] == "ElementNotFound"
    login.step("press_key", {"keys": "tab"}, observe="none")
    last = login.steps([("press_key", {"keys": "tab"})] * 2, observe="none")
    assert (last["reward"], last["terminated"], last["truncated"]) == (0, False, True)
    with pytest.raises(backlot.BadRequestError, match="session_reset starts the next one"):
        login.step("press_key", {"keys": "tab"})


def test_a_batch_returns_results_and_errors_in_order_also_of_other_desktops(server: Server, login: Desktop) -> None:
    with server.open("login", seed=2) as other:
        results = login.batch(
            [
                Call("get_pointer"),
                Call("click_element", {"selector": 'Button "Nowhere"'}),
                Call("session_info", session_id=other.session_id),
            ]
        )
    assert [type(each) for each in results] == [dict, backlot.ElementNotFoundError, dict]
    assert isinstance(results[2], dict)
    assert results[2]["seed"] == 2


def test_a_batch_may_be_longer_than_a_message(login: Desktop) -> None:
    results = login.batch([Call("get_pointer")] * 1500)
    assert sum(isinstance(each, ToolError) for each in results) == 0
    assert len(results) == 1500


def test_a_closed_session_is_gone(server: Server) -> None:
    with server.open("login") as desktop:
        pass
    with pytest.raises(backlot.SessionNotFoundError):
        desktop.list_windows()
    desktop.close()


def test_an_agent_connects_to_the_url_of_a_desktop_without_the_tools_of_the_harness(login: Desktop) -> None:
    with backlot.connect(login.url) as agent:
        desktop = agent.desktop()
        assert desktop.list_windows()["windows"][0]["title"] == "Acme Login"
        with pytest.raises(backlot.PermissionDeniedError, match="harness"):
            desktop.oracles()
    with backlot.connect(login.url, login.harness_token) as harness:
        assert harness.desktop().oracles()["reward"] == 0


def test_the_locator_has_the_actions_of_the_typescript_one(server: Server) -> None:
    yaml = """
states:
  a:
    windows:
      - uid: w
        title: Form
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: Form
          children:
            - {id: e, role: Edit, name: Name, value: "", bounds: {x: 10, y: 50, width: 200, height: 28}}
            - id: c
              role: ComboBox
              name: Size
              bounds: {x: 10, y: 90, width: 200, height: 28}
              children: [{id: s, role: ListItem, name: S}, {id: m, role: ListItem, name: M}]
            - {id: k, role: CheckBox, name: Agree, bounds: {x: 10, y: 130, width: 200, height: 28}}
"""
    with server.open(yaml=yaml) as desktop:
        name = desktop.locator('Edit "Name"', window="Form")

        def has(value: str) -> bool:
            held = desktop.assert_state(
                predicate=[{"kind": "value_equals", "selector": 'Edit "Name"', "expected": value}]
            )
            return held["all_passed"]

        name.type("one")
        name.press("ctrl+a")
        assert has("one")
        name.fill("two")
        assert has("two")
        name.clear()
        assert has("")
        desktop.locator('ComboBox "Size"').select_option("M")
        desktop.locator('ComboBox "Size"').select_option(0)
        agree = desktop.locator('CheckBox "Agree"')
        assert agree.click()["changed"]
        assert agree.invoke()["changed"]
        for action in (agree.hover, agree.focus, agree.double_click, agree.right_click):
            assert action()["ok"]
