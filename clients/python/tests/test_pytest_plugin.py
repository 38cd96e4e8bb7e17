from __future__ import annotations

import re

import pytest

from backlot import Desktop, Server
from backlot.testing import expect
from tests.conftest import sign_in

FAILING = """
import pytest
from backlot.testing import expect

@pytest.mark.scenario("login", seed=1)
def test_signs_in(desktop):
    desktop.locator('Edit "Username"').type("alice")
    expect(desktop).to_have_text("Hello, alice")

@pytest.mark.scenario("login", seeds=range(2))
def test_each_seed(desktop):
    assert desktop.task.startswith("Sign in to Acme")

@pytest.mark.scenario(yaml='''
states:
  a:
    windows: [{uid: w, title: A, bounds: {x: 0, y: 0, width: 300, height: 200}}]
''')
def test_of_a_text(desktop):
    assert desktop.list_windows()["windows"][0]["title"] == "B"

def test_the_default_desktop(desktop, backlot):
    assert len(backlot.sessions()) == 1
"""


def test_a_failing_test_leaves_its_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess("-p", "backlot.pytest_plugin", "--strict-markers")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(['*AssertionError: "Hello, alice" is not shown. The screen shows:', "*recording.html*"])
    output = pytester.path / "test-results"
    kept = {folder.name: sorted(each.name for each in folder.iterdir()) for folder in output.iterdir()}
    assert kept == {
        "test_a_failing_test_leaves_its_run.py-test_signs_in": [
            "recording.html",
            "screenshot.png",
            "trace.jsonl",
            "tree.json",
        ],
        "test_a_failing_test_leaves_its_run.py-test_of_a_text": [
            "recording.html",
            "scenario.yaml",
            "screenshot.png",
            "trace.jsonl",
            "tree.json",
        ],
    }
    page = (output / "test_a_failing_test_leaves_its_run.py-test_signs_in/recording.html").read_text()
    assert "type_text" in page


def test_expectations_that_hold(login: Desktop) -> None:
    expect(login).not_to_be_solved()
    expect(login).to_have_element('Edit "Username"')
    expect(login).to_have_element('Edit "Username"', window="Acme")
    expect(login).not_to_have_element('Edit "Username"', window="Nowhere")
    expect(login).not_to_have_text("Hello, alice")
    sign_in(login)
    expect(login).to_be_solved()
    expect(login).to_have_text("Hello, alice")
    expect(login).to_have_text(re.compile("^Hello, [a-z]+$"))
    expect(login).not_to_have_text(re.compile("^ello"))
    expect(login).not_to_have_element('Edit "Username"')


def test_expectations_that_do_not_hold_show_the_screen(login: Desktop) -> None:
    with pytest.raises(AssertionError, match=r'no element matches Button "Nowhere"\. The screen shows:[^$]*Username'):
        expect(login).to_have_element('Button "Nowhere"')
    with pytest.raises(AssertionError, match="the scenario is not solved: "):
        expect(login).to_be_solved()
    with pytest.raises(AssertionError, match=r"a text that matches '\^x\$' is not shown"):
        expect(login).to_have_text(re.compile("^x$"))
    sign_in(login)
    with pytest.raises(AssertionError, match="the scenario is solved"):
        expect(login).not_to_be_solved()


def test_a_malformed_selector_is_an_error_of_its_own(login: Desktop) -> None:
    with pytest.raises(Exception, match="BadRequest"):
        expect(login).not_to_have_element("Button[")


def test_what_is_no_desktop_is_refused(server: Server) -> None:
    with pytest.raises(TypeError, match="Desktop, not Server"):
        expect(server)  # type: ignore[arg-type]
