from __future__ import annotations

import importlib.util
import inspect
import json
import tomllib
from pathlib import Path
from types import ModuleType

from hatchling.version.source.regex import RegexSource

import backlot
from backlot import AsyncDesktop, Desktop

ROOT = Path(__file__).parents[1]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tools_are_those_of_the_openapi_document() -> None:
    generate = generator()
    document = json.loads(generate.DOCUMENT.read_text())
    assert generate.TARGET.read_text() == generate.render(document), "run: python generate.py"


def test_every_tool_is_a_method_with_a_docstring() -> None:
    for tool in backlot.TOOLS:
        assert "Raises:" in (inspect.getdoc(getattr(Desktop, tool)) or ""), tool
        assert inspect.iscoroutinefunction(getattr(AsyncDesktop, tool)), tool


def test_the_methods_of_both_desktops_are_the_same() -> None:
    def signatures(kind: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(kind, inspect.isfunction)
        return {name: list(inspect.signature(each).parameters) for name, each in methods if not name.startswith("_")}

    assert signatures(Desktop) == signatures(AsyncDesktop)


def test_the_version_is_that_of_the_npm_package() -> None:
    version = json.loads((ROOT / "../../package.json").read_text())["version"]
    source = RegexSource(str(ROOT), tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["version"])
    assert source.get_version_data()["version"] == version
