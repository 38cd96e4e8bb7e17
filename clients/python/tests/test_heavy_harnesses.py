"""Adapters of libraries that are too large for each run. Runs with ``npm run test:python:heavy``."""

from __future__ import annotations

import asyncio
import gc
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import backlot
from backlot import Desktop
from backlot.harnesses import shared_server

pytestmark = pytest.mark.heavy
KINDS = ("metrics", "getters")

#: A harness without a model, which does what its file says with the tools that it gets.
SCRIPTED = """
import json
import verifiers.v1 as vf
from verifiers.v1.harnesses.utils.mcp import mcp_client
from verifiers.v1.runtimes import ProgramResult

__all__ = ["Scripted"]


class ScriptedConfig(vf.HarnessConfig):
    calls: list[tuple[str, dict[str, str]]] = []
    fails: bool = False


class Scripted(vf.Harness[ScriptedConfig]):
    NEEDS_CONTAINER = False
    EXECUTES_CODE = False
    SUPPORTS_MCP = True

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        async with mcp_client({"url": mcp_urls["desktop"]}) as client:
            for tool, args in self.config.calls:
                await client.call_tool(tool, args)
        return ProgramResult(exit_code=int(self.config.fails), stdout="", stderr="")
"""


class TestVerifiers:
    @pytest.fixture(autouse=True)
    def scripted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("verifiers", reason="requirements-heavy.txt is not installed")
        (tmp_path / "scripted_harness.py").write_text(SCRIPTED)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "scripted_harness", raising=False)

    @staticmethod
    def agent(user: str, fails: bool = False) -> Any:
        import verifiers.v1 as vf

        calls = [
            ("set_value", {"selector": 'Edit "Username"', "value": user}),
            ("set_value", {"selector": 'Edit "Password"', "value": "x"}),
            ("click_element", {"selector": 'Button "Login"'}),
        ]
        harness = {"id": "scripted_harness", "calls": calls, "fails": fails}
        return vf.Agent(vf.AgentConfig(harness=harness, runtime={"type": "subprocess"}, model="none"))

    def test_the_taskset_is_found_by_the_name_of_a_module_and_has_no_end(self, tmp_path: Path) -> None:
        from verifiers.v1.utils.loaders import load_taskset, taskset_config_type

        (tmp_path / "office_desktops.py").write_text(
            'from backlot.harnesses.verifiers import BacklotTaskset\n\n__all__ = ["BacklotTaskset"]\n'
        )
        config = taskset_config_type("office_desktops")
        taskset = load_taskset(config(id="office_desktops", scenarios=["login", "settings"], first_seed=5))
        assert (taskset.INFINITE, taskset.bounded) == (True, False)
        tasks = list(taskset.take(3))
        assert [task.key for task in tasks] == ["login/5", "settings/5", "login/6"]
        assert tasks[0].data.prompt_text.startswith("Sign in to Acme as ")

    def test_rollouts_of_a_task_have_desktops_of_their_own_and_close_them(self) -> None:
        from backlot.harnesses.verifiers import BacklotTaskset, BacklotTasksetConfig

        [task] = BacklotTaskset(BacklotTasksetConfig(first_seed=1)).take(1)
        before = len(shared_server().sessions())

        async def run() -> list[Any]:
            return await asyncio.gather(*(self.agent(user).run(task) for user in ("alice", "bob", "alice")))

        traces = asyncio.run(run())
        assert [trace.errors for trace in traces] == [[], [], []]
        assert [trace.rewards["verdict"].value for trace in traces] == [1, 0, 1]
        assert [trace.metrics["progress"] for trace in traces] == [1, 0, 1]
        assert [trace.info["backlot"]["solved"] for trace in traces] == [True, False, True]
        assert len(shared_server().sessions()) == before

    def test_a_rollout_that_fails_closes_its_desktop(self) -> None:
        from backlot.harnesses.verifiers import BacklotTaskset, BacklotTasksetConfig

        [task] = BacklotTaskset(BacklotTasksetConfig(first_seed=1)).take(1)
        before = len(shared_server().sessions())
        trace = asyncio.run(self.agent("alice", fails=True).run(task))
        assert trace.ok is False
        del trace
        gc.collect()
        assert len(shared_server().sessions()) == before


class TestOsworld:
    """The published ``DesktopEnv``, without the modules of tasks, which need browsers and models of recognition."""

    @pytest.fixture(autouse=True)
    def without_tasks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("desktop_env", reason="desktop-env is not installed")
        for name in ("evaluators", "evaluators.metrics", "evaluators.getters"):
            monkeypatch.setitem(sys.modules, f"desktop_env.{name}", types.ModuleType(name))
        set_up = types.ModuleType("setup")
        set_up.SetupController = lambda **_: None  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "desktop_env.controllers.setup", set_up)
        evaluators: Any = sys.modules["desktop_env.evaluators"]
        evaluators.metrics, evaluators.getters = (sys.modules[f"desktop_env.evaluators.{each}"] for each in KINDS)

    def test_an_environment_under_the_name_of_docker_drives_a_server_of_its_own(self) -> None:
        from desktop_env.desktop_env import DesktopEnv

        from backlot.harnesses.osworld import BacklotProvider, install

        install(arguments=["--scenario", "login"])
        envs = [DesktopEnv(provider_name="docker", action_space="pyautogui") for _ in range(2)]
        assert [type(env.provider) for env in envs] == [BacklotProvider] * 2
        trees = []
        for env, user in zip(envs, ("alice", "bob"), strict=True):
            env.reset()
            for action in ("pyautogui.press('tab')", f"pyautogui.typewrite('{user}')"):
                seen, *_ = env.step(action, pause=0)
            assert seen["screenshot"].startswith(b"\x89PNG")
            trees.append(seen["accessibility_tree"])
        assert [[user in tree for user in ("alice", "bob")] for tree in trees] == [[True, False], [False, True]]
        servers = [server for env in envs for server in env.provider._machines.values()]
        for env in envs:
            env.close()
        assert [server.processes[0].is_running for server in servers] == [False, False]

    def test_a_program_of_a_checkout_runs_with_it(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        from backlot.harnesses.osworld import main

        (tmp_path / "run.py").write_text(
            "import sys\nfrom desktop_env.desktop_env import DesktopEnv\n"
            "env = DesktopEnv(provider_name=sys.argv[1])\nprint(env.path_to_vm.rstrip('0123456789'))\nenv.close()\n"
        )
        before = (list(sys.argv), list(sys.path))
        try:
            main([str(tmp_path / "run.py"), "docker"])
        finally:
            sys.argv[:], sys.path[:] = before
        assert capsys.readouterr().out == "backlot-\n"


def first_user(desktop: Desktop) -> tuple[str, float | None, str]:
    """Signs in as alice, whoever the task names."""
    desktop.locator('Edit "Username"').fill("alice")
    desktop.locator('Edit "Password"').fill("x")
    desktop.locator('Button "Login"').click()
    return str(desktop.task), desktop.oracles()["reward"], desktop.url


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[None]:
    """A cluster of Ray on this machine, whose nodes are processes of their own."""
    ray = pytest.importorskip("ray", reason="requirements-heavy.txt is not installed")
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 * 1024 * 1024}
    cluster: Any = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    cluster.add_node(**node)
    ray.init(address=cluster.address, log_to_driver=False)
    yield
    ray.shutdown()
    cluster.shutdown()


@pytest.mark.usefixtures("two_nodes")
class TestRay:
    def test_actors_of_two_nodes_play_on_servers_of_their_own(self) -> None:
        import ray

        from backlot.harnesses.ray import desktop_actors, play_all

        actors = desktop_actors(2)
        nodes, urls = (ray.get([getattr(actor, name).remote() for actor in actors]) for name in ("node", "urls"))
        assert (len(set(nodes)), len({url for each in urls for url in each})) == (2, 2)
        played = play_all(actors, first_user, "login", range(1, 9))
        with backlot.launch() as server:
            alone = [first_user(server.open("login", seed=seed)) for seed in range(1, 9)]
        assert [each[:2] for each in played] == [each[:2] for each in alone]
        assert {each[2].partition("/sessions/")[0] for each in played} == {url for each in urls for url in each}
        # A lost actor comes back with another server, and the episodes are played to their end.
        ray.kill(actors[0], no_restart=False)
        again = play_all(actors, first_user, "login", range(1, 9))
        assert [each[:2] for each in again] == [each[:2] for each in alone]
        gone = urls[0][0]
        assert gone not in {each[2].partition("/sessions/")[0] for each in again}
        with backlot.connect(gone) as lost, pytest.raises(backlot.ConnectionLostError):
            lost.desktop().list_windows()
        for actor in actors:
            ray.kill(actor)

    def test_actors_use_remote_servers(self) -> None:
        import ray

        from backlot.harnesses.ray import desktop_actors, play_all

        with backlot.launch(processes=2) as servers:
            actors = desktop_actors(2, url=servers.urls, token=servers.harness_tokens[0])
            played = play_all(actors, first_user, "login", range(1, 9))
            assert {each[2].partition("/sessions/")[0] for each in played} == set(servers.urls)
            assert servers.sessions() == []
            for actor in actors:
                ray.kill(actor)
