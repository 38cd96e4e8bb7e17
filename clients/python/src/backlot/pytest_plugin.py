"""The pytest plugin: fixtures ``backlot`` and ``desktop``, the marker ``scenario``, and the runs of failed tests."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from backlot._process import command
from backlot.desktop import Desktop
from backlot.errors import BacklotError
from backlot.server import Server, launch
from backlot.testing import sketch_of

_REPORT = pytest.StashKey[pytest.TestReport]()
_TYPED_TEXT_IS_KEPT = ["api_key", "password", "Authorization", "token", "confirm_token"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("backlot")
    group.addoption(
        "--backlot-output",
        default="test-results",
        metavar="DIR",
        help="folder for the screenshot, tree, trace and recorded page of failed tests (default: test-results)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "scenario(name=None, *, yaml=None, seed=None, seeds=None, variant=None, faults=None): what the fixture desktop "
        "opens; with seeds the test runs once for each",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("scenario")
    seeds = None if marker is None else marker.kwargs.get("seeds")
    if seeds is not None and "desktop" in metafunc.fixturenames:
        metafunc.parametrize("_backlot_seed", list(seeds), ids=lambda seed: f"seed{seed}")


@pytest.fixture
def _backlot_seed() -> int | None:
    return None


@pytest.fixture(scope="session")
def backlot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of this process. It reads scenarios below the root folder of the tests."""
    folder = tmp_path_factory.mktemp("backlot")
    tracing = {"dir": str(folder / "traces"), "screenshot_every_n_actions": 0, "max_args_bytes": 65_536}
    settings = {"tracing": {**tracing, "redact_keys": _TYPED_TEXT_IS_KEPT}}
    (folder / "config.json").write_text(json.dumps(settings))
    with launch(arguments=["--config", str(folder / "config.json")], cwd=str(request.config.rootpath)) as server:
        yield server


@pytest.fixture
def desktop(request: pytest.FixtureRequest, backlot: Server, _backlot_seed: int | None) -> Iterator[Desktop]:
    """A desktop of the scenario that the marker ``scenario`` names. The run of a failed test is kept."""
    marker = request.node.get_closest_marker("scenario")
    asked: dict[str, Any] = {} if marker is None else _arguments(*marker.args, **marker.kwargs)
    if _backlot_seed is not None:
        asked["seed"] = _backlot_seed
    with backlot.open(**asked) as opened:
        opened.trace_start(label=request.node.nodeid[-500:])
        yield opened
        report = request.node.stash.get(_REPORT, None)
        if report is not None and report.failed:
            output = request.config.rootpath / request.config.getoption("--backlot-output")
            folder = output / re.sub(r"[^\w.-]+", "-", request.node.nodeid).strip("-")
            request.node.add_report_section("teardown", "backlot", _keep_run(opened, asked.get("yaml"), folder))
        else:
            _stop_trace(opened)


def _arguments(
    scenario: str | None = None,
    *,
    yaml: str | None = None,
    seed: int | None = None,
    seeds: Any = None,
    variant: Any = None,
    faults: Any = None,
) -> dict[str, Any]:
    return {"scenario": scenario, "yaml": yaml, "seed": seed, "variant": variant, "faults": faults}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_REPORT] = report
    return report


def _stop_trace(desktop: Desktop) -> Path | None:
    """Ends the trace. Returns its folder, or None if the test ended it or the desktop is gone."""
    try:
        return Path(desktop.trace_stop()["path"]).parent
    except BacklotError:
        return None


def _keep_run(desktop: Desktop, yaml: str | None, folder: Path) -> str:
    """Writes the screenshot, the tree, the trace and its page into a folder. Returns what to print."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        sketch = sketch_of(desktop)
        (folder / "screenshot.png").write_bytes(desktop.screenshot())
        (folder / "tree.json").write_text(json.dumps(desktop.get_window_structure()["tree"], indent=1))
    except BacklotError as error:
        sketch = f"the desktop cannot be observed any more: {error}"
    trace = _stop_trace(desktop)
    if trace is not None:
        shutil.copytree(trace, folder, dirs_exist_ok=True)
        scenario = []
        if yaml is not None:
            (folder / "scenario.yaml").write_text(yaml)
            scenario = ["--scenario", str(folder / "scenario.yaml")]
        page = ["--html", str(folder / "recording.html"), *scenario]
        ran = subprocess.run(
            [*command(), "show-trace", str(folder), *page], capture_output=True, text=True, timeout=120, check=False
        )
        if ran.returncode != 0:
            sketch += f"\n\nno recording: {ran.stderr.strip()}"
    return f"{sketch}\n\n{desktop.url} is in {folder}: {', '.join(sorted(each.name for each in folder.iterdir()))}"
