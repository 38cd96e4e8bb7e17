"""The adapters with the libraries that they are for."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import backlot
from backlot import Desktop, Server

ROOT = Path(__file__).parents[1]


def centre(desktop: Desktop, selector: str) -> tuple[int, int]:
    bounds = desktop.find_element(selector)["bounds"]
    return int(bounds["x"] + bounds["width"] // 2), int(bounds["y"] + bounds["height"] // 2)


class TestOpenAiAgents:
    def test_drives_a_desktop(self, login: Desktop) -> None:
        from agents import ComputerTool

        from backlot.harnesses.openai_agents import BacklotComputer

        computer = BacklotComputer(login)
        assert ComputerTool(computer=computer).computer is computer
        assert (computer.environment, computer.dimensions) == ("windows", (1280, 800))
        computer.click(*centre(login, 'Edit "Username"'), "left")
        computer.type("aliceX")
        computer.keypress(["SHIFT", "ARROWLEFT"])
        computer.keypress(["BACKSPACE"])
        computer.double_click(*centre(login, 'Edit "Password"'))
        computer.type("correct horse")
        computer.move(10, 10)
        computer.drag([(10, 10), (40, 40)], keys=["CTRL"])
        computer.scroll(640, 400, 0, 120)
        computer.wait()
        computer.click(*centre(login, 'Button "Login"'), "left")
        assert login.oracles()["reward"] == 1
        assert computer.screenshot().startswith("iVBOR")

    def test_a_refused_action_is_a_warning_or_goes_to_the_callback(self, login: Desktop) -> None:
        from backlot.harnesses.openai_agents import BacklotComputer

        with pytest.warns(RuntimeWarning, match="press_keys: BadRequest"):
            BacklotComputer(login).keypress(["NOWHERE"])
        failures: list[backlot.ToolError] = []
        BacklotComputer(login, on_failure=failures.append).keypress(["NOWHERE"])
        assert [error.code for error in failures] == ["BadRequest"]

    def test_drives_a_desktop_with_asyncio(self) -> None:
        from agents import ComputerTool

        from backlot.harnesses.openai_agents import AsyncBacklotComputer

        async def run() -> int | float | None:
            async with backlot.launch_async("login", seed=1) as server:
                desktop = server.desktop()
                computer = AsyncBacklotComputer(desktop)
                assert ComputerTool(computer=computer).computer is computer
                await desktop.locator('Edit "Username"').click()
                await computer.type("alice")
                await computer.keypress(["TAB"])
                await computer.type("correct horse")
                await computer.move(5, 5)
                await computer.scroll(640, 400, 0, 120)
                await computer.drag([(10, 10), (40, 40)])
                await computer.double_click(5, 5)
                await computer.click(5, 5, "right", keys=["SHIFT"])
                await computer.wait()
                assert (await computer.screenshot()).startswith("iVBOR")
                await desktop.locator('Button "Login"').click()
                return (await desktop.oracles())["reward"]

        assert asyncio.run(run()) == 1


class TestAnthropic:
    @staticmethod
    def block(name: str, **given: Any) -> Any:
        from anthropic.types.beta import BetaToolUseBlock

        return BetaToolUseBlock(type="tool_use", id="toolu_1", name=name, input=given, toolset_name="computer")

    def test_drives_a_desktop(self, login: Desktop) -> None:
        from backlot.harnesses.anthropic import BacklotToolset

        toolset = BacklotToolset(login)
        assert toolset.to_dict() == {"type": "computer_toolset_20260801"}

        def call(name: str, **given: Any) -> Any:
            return toolset.tool_result(self.block(name, **given))

        clicked = call("left_click", coordinate=list(centre(login, 'Edit "Username"')))
        assert clicked["content"] == [{"type": "text", "text": "Clicked."}]
        call("type", text="alice")
        call("key", text="Tab")
        call("type", text="correct horse")
        at = centre(login, 'Button "Login"')
        call("mouse_move", coordinate=list(at))
        assert call("cursor_position")["content"][0]["text"] == f"X={at[0]},Y={at[1]}"
        assert call("screenshot")["content"][0]["source"]["media_type"] == "image/png"
        assert call("zoom", region=[0, 0, 100, 100])["content"][0]["type"] == "image"
        refused = call("left_click", coordinate=[5000, 5000])
        assert refused["is_error"] is True
        assert "5000" in str(refused["content"])
        call("left_click")
        assert login.oracles()["reward"] == 1

    def test_drives_a_desktop_with_asyncio_and_asks_for_confirmation(self) -> None:
        from backlot.harnesses.anthropic import AsyncBacklotToolset

        async def run() -> list[Any]:
            async with backlot.launch_async("login", seed=1) as server:
                desktop = server.desktop()
                toolset = AsyncBacklotToolset(desktop, confirm=lambda context: context.member != "type")
                results = [
                    await toolset.tool_result(self.block("type", text="alice")),
                    await toolset.tool_result(self.block("key", text="Tab")),
                ]
                return [result.get("is_error", False) for result in results]

        assert asyncio.run(run()) == [True, False]

    def browser_block(self, name: str, **given: Any) -> Any:
        from anthropic.types.beta import BetaToolUseBlock

        return BetaToolUseBlock(type="tool_use", id="toolu_1", name=name, input=given, toolset_name="browser")

    def test_acts_on_the_page_of_a_browser(self, server: Server) -> None:
        from backlot.harnesses.anthropic import BacklotBrowserToolset

        with server.open("web", seed=1) as desktop:
            toolset = BacklotBrowserToolset(desktop)
            assert toolset.to_dict() == {"type": "browser_toolset_20260801"}

            def call(name: str, **given: Any) -> Any:
                return toolset.tool_result(self.browser_block(name, **given))["content"]

            shown = call("navigate", url="shop.test/help")
            help_page = {"tab_id": "1", "title": "Help - Tea & Table", "url": "https://shop.test/help"}
            assert shown == [
                {"type": "text", "text": "Navigated to https://shop.test/help — Help - Tea & Table"},
                {"type": "browser_state", "tabs": [{**help_page, "active": True}]},
            ]
            assert (
                call("find", query="cart")[0]["text"] == 'hyperlink "Cart (1)" [ref_1] value="https://shop.test/cart"'
            )
            assert call("left_click", target={"type": "ref", "ref": "ref_1"})[0]["text"] == "Clicked."
            drag = {"from": {"type": "coordinate", "x": 5, "y": 5}, "target": {"type": "coordinate", "x": 9, "y": 9}}
            assert call("left_click_drag", **drag)[0]["text"] == "Dragged."
            assert call("screenshot")[0]["type"] == "image"
            (opened,) = call("new_tab")
            assert opened["state_changes"] == [{"type": "tab_opened", "tab_id": "2"}]
            assert [tab["url"] for tab in opened["tabs"]] == ["https://shop.test/cart", ""]
            stale = toolset.tool_result(self.browser_block("left_click", target={"type": "ref", "ref": "ref_9"}))
            assert stale["is_error"] is True
            assert "ref_9 is not on this page; read it again" in str(stale["content"])
            off = toolset.tool_result(self.browser_block("javascript_exec", text="1"))
            assert off["is_error"] is True

    def test_acts_on_the_page_of_a_browser_with_asyncio(self) -> None:
        from backlot.harnesses.anthropic import AsyncBacklotBrowserToolset

        async def run() -> Any:
            async with backlot.launch_async("web", seed=1) as server:
                toolset = AsyncBacklotBrowserToolset(server.desktop())
                return (await toolset.tool_result(self.browser_block("navigate", url="bank.test")))["content"]

        (_, state) = asyncio.run(run())
        assert [tab["url"] for tab in state["tabs"]] == ["https://bank.test/login?next=/"]


class TestTrl:
    def test_is_made_without_arguments_and_has_typed_tools_with_docstrings(self, server: Server) -> None:
        from backlot.harnesses.trl import environment

        env = environment("login", server=server)()
        assert not inspect.signature(type(env)).parameters
        public = [name for name, _ in inspect.getmembers(env, inspect.ismethod) if not name.startswith("_")]
        tools = [name for name in public if name not in ("reset", "get_reward")]
        assert tools == ["click", "finish", "press", "screenshot", "scroll", "type_text"]
        for name in tools:
            method = getattr(env, name)
            assert ("Args:" in method.__doc__) == (len(inspect.signature(method).parameters) > 0), name

    def test_solves_the_episode_of_a_row_and_is_used_again(self, server: Server) -> None:
        from backlot.harnesses.trl import environment

        env = environment("settings", server=server)()
        for seed, user in ((1, "alice"), (2, "dave")):
            shown = env.reset(scenario="login", seed=seed, prompt="solve it")
            assert isinstance(shown, str)
            assert shown.startswith(f"Task: Sign in to Acme as {user}.")
            assert env.get_reward() == 0
            assert env.click('Button "Nowhere"').startswith("Refused: no element matches")
            env.type_text('Edit "Username"', user)
            env.type_text('Edit "Password"', "x")
            assert user in env.screenshot()
            env.press("enter")
            assert env.get_reward() == 1
            assert env.finish() == "The run has ended."

    def test_pictures_come_with_the_reset(self, server: Server) -> None:
        from backlot.harnesses.trl import environment

        blocks = environment("login", images=True, server=server)().reset(seed=1)
        assert isinstance(blocks, list)
        assert [block["type"] for block in blocks] == ["image", "text"]
        assert blocks[0]["image"].size == (1280, 800)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry points of the package, which these tests import from its sources."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path / "backlot-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: backlot\nVersion: 1.0\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (folder / "entry_points.txt").write_text("\n".join(groups))
    paths = [str(tmp_path), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))


INSPECT_TASK = """
import json
from inspect_ai import Task, task
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import basic_agent
from inspect_ai.tool import computer
from backlot.harnesses.inspect_ai import desktop_dataset, oracle_scorer


def output(tool, args):
    made = ModelOutput.for_tool_call("mockllm/model", tool, args)
    made.usage = ModelUsage()
    return made


@task
def sign_in():
    calls = [output("computer", each) for each in json.load(open("actions.json"))]
    model = get_model("mockllm/model", custom_outputs=[*calls, output("submit", {"answer": "signed in"})])
    agent = basic_agent(tools=[computer()])
    dataset = desktop_dataset(["login"], seeds=[1])
    return Task(dataset=dataset, solver=agent, scorer=oracle_scorer(), model=model, sandbox="backlot")
"""


def test_inspect_evaluates_a_model_that_uses_its_computer_tool(installed: None, login: Desktop, tmp_path: Path) -> None:
    actions = [
        {"action": "left_click", "coordinate": centre(login, 'Edit "Username"')},
        {"action": "type", "text": "alice"},
        {"action": "key", "text": "Tab"},
        {"action": "type", "text": "correct horse"},
        {"action": "back_click", "coordinate": [5, 5]},
        {"action": "left_click", "coordinate": [9000, 9000]},
        {"action": "zoom", "region": [0, 0, 100, 100]},
        {"action": "left_click", "coordinate": centre(login, 'Button "Login"')},
        {"action": "screenshot"},
    ]
    (tmp_path / "actions.json").write_text(json.dumps(actions))
    (tmp_path / "sign_in.py").write_text(INSPECT_TASK)
    env = {**os.environ, "INSPECT_LOG_DIR": str(tmp_path / "logs")}
    command = [sys.executable, "-m", "inspect_ai", "eval", "sign_in.py", "--model", "mockllm/model"]
    more = ["--display", "plain", "--log-format", "json"]
    ran = subprocess.run([*command, *more], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    [log] = [json.loads(file.read_text()) for file in (tmp_path / "logs").glob("*.json")]
    [sample] = log["samples"]
    assert (log["status"], sample["input"]) == ("success", "Sign in to Acme as alice. Any password is accepted.")
    [(_, score)] = sample["scores"].items()
    assert (score["value"], score["answer"], score["metadata"]["score"]) == ("C", "signed in", 1)
    results = [each for each in sample["messages"] if each["role"] == "tool"][: len(actions)]
    has_picture = ["image" in json.dumps(each["content"])[:400] for each in results]
    assert has_picture == [index != 5 for index in range(len(actions))]
    errors = [(each.get("error") or {}).get("message") for each in results]
    assert [index for index, error in enumerate(errors) if error] == [5]
    assert "9000" in str(errors[5])


def test_inspect_takes_verdicts_of_an_evaluation_as_precomputed_scores(tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import precomputed_scores
    from inspect_ai.solver import chain

    from backlot._process import command
    from backlot.harnesses.inspect_ai import write_scores

    evaluate = [*command(), "eval", "login", "settings", "--agent", "noop", "--seeds", "1..2", "--runs", "2"]
    more = ["--workers", "1", "--traces", "none", "--min-success", "0", "--out", "noop"]
    subprocess.run([*evaluate, *more], cwd=tmp_path, capture_output=True, check=True)
    scores = tmp_path / "scores.jsonl"
    assert write_scores(tmp_path / "noop" / "results.jsonl", scores) == 8
    assert write_scores(tmp_path / "noop" / "results.jsonl", tmp_path / "dark.jsonl", {"theme": "dark"}) == 0
    records = [json.loads(line) for line in scores.read_text().splitlines()]
    # One verdict that differs shows that it is matched by sample and epoch.
    records[3]["value"] = "C"
    assert (records[3]["id"], records[3]["epoch"]) == ("login-2", 2)
    scores.write_text("".join(json.dumps(record) + "\n" for record in records))
    samples = [Sample(id=f"{name}-{seed}", input="") for name in ("login", "settings") for seed in (1, 2)]
    scorer = precomputed_scores(str(scores), on_missing="error")
    task = Task(dataset=samples, solver=chain([]), scorer=scorer, epochs=2)
    [log] = inspect_eval(task, model="mockllm/model", log_dir=str(tmp_path / "logs"), display="none")
    assert (log.status, log.error) == ("success", None)
    values = {
        (each.id, each.epoch): each.scores["precomputed_scores"].value for each in log.samples or () if each.scores
    }
    solved = [key for key, value in values.items() if value == "C"]
    assert (len(values), solved) == (8, [("login-2", 2)])
