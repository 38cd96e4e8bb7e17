from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOLVE = """
import backlot
with backlot.launch() as server, server.open("login", seed=1) as desktop:
    desktop.locator('Edit "Username"').type("alice")
    desktop.locator('Edit "Password"').type("correct horse")
    desktop.press("enter")
    print(desktop.oracles()["reward"], len(desktop.screenshot()) > 10_000)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = importlib.util.spec_from_file_location("build_wheel", ROOT / "build_wheel.py")
    assert spec is not None
    assert spec.loader is not None
    build_wheel = importlib.util.module_from_spec(spec)
    sys.modules["build_wheel"] = build_wheel
    spec.loader.exec_module(build_wheel)
    built: Path = build_wheel.build(build_wheel.PLATFORMS["linux-x64"], tmp_path_factory.mktemp("wheel"))
    return built


def test_has_the_program_its_canvas_and_the_tag_of_its_platform(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-manylinux_2_28_x86_64.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "backlot/_program/node_modules/backlot/dist/bundle/backlot.js" in names
    assert "backlot/py.typed" in names
    assert [name for name in names if name.endswith(".node")] == [
        "backlot/_program/node_modules/@napi-rs/canvas-linux-x64-gnu/skia.linux-x64-gnu.node"
    ]


def test_has_what_is_meant_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    package = r"backlot/([a-z_]+/)?\w+\.py|backlot/py\.typed|backlot-[\w.]+\.dist-info/[\w.]+"
    program = r"backlot/_program/node_modules/(\.package-lock\.json|(@\w[\w-]*/)?\w[\w.-]*/.+)"
    assert [name for name in names if not re.fullmatch(f"{package}|{program}", name)] == []
    inside = {re.split("/", name.split("node_modules/")[1])[0] for name in names if "node_modules/" in name}
    assert inside == {".package-lock.json", "@expo-google-fonts", "@faker-js", "@napi-rs", "backlot"}
    own = {name.split("node_modules/backlot/")[1].split("/")[0] for name in names if "node_modules/backlot/" in name}
    assert own == {"LICENSE", "README.md", "dist", "package.json", "scenarios", "skills", "src"}
    assert [name for name in names if re.search(r"\.(map|test\.\w+)$|/tests?/", name)] == []


def test_solves_a_scenario_in_an_empty_environment_without_node(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", str(wheel)], check=True)
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "BACKLOT_PROGRAM")}
    env["PATH"] = str(python.parent)
    solved = subprocess.run([python, "-c", SOLVE], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (solved.stdout, solved.stderr, solved.returncode) == ("1 True\n", "", 0)
    command = [str(python.parent / "backlot"), "test", "login"]
    tested = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (tested.returncode, "login" in tested.stdout) == (0, True)
