"""Builds the wheel for one platform: this package with the npm package and its native canvas inside.

Run ``python build_wheel.py [PLATFORM] [FOLDER]``. It needs Node, npm and hatchling, and takes dist/bundle of the
repository as it is (``npm run build``). The wheel of any platform can be built on any other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Parts of the npm package that the program does not read.
UNUSED = ("dist/types", "docs", "CHANGELOG.md", "CONTRIBUTING.md", "fixtures")


@dataclass(frozen=True)
class Platform:
    """A platform: what npm calls it, and the tag of its wheel."""

    npm: tuple[str, ...]
    tag: str


#: Node has wheels for the same platforms. Only the first is tested.
PLATFORMS = {
    "linux-x64": Platform(("--os=linux", "--cpu=x64", "--libc=glibc"), "manylinux_2_28_x86_64"),
    "linux-arm64": Platform(("--os=linux", "--cpu=arm64", "--libc=glibc"), "manylinux_2_28_aarch64"),
    "macos-arm64": Platform(("--os=darwin", "--cpu=arm64"), "macosx_13_0_arm64"),
    "macos-x64": Platform(("--os=darwin", "--cpu=x64"), "macosx_13_0_x86_64"),
    "windows-x64": Platform(("--os=win32", "--cpu=x64"), "win_amd64"),
}


def build(platform: Platform, folder: Path) -> Path:
    """Builds the wheel into a folder. Returns its path."""
    if not (ROOT / "dist/bundle/backlot.js").is_file():
        raise SystemExit("dist/bundle is missing: run `npm run build` in the repository first")
    with tempfile.TemporaryDirectory() as temporary:
        project, stage = Path(temporary) / "clients/python", Path(temporary) / "stage"
        project.mkdir(parents=True)
        shutil.copy(ROOT / "package.json", temporary)
        for name in ("pyproject.toml", "README.md", "hatch_build.py"):
            shutil.copy(HERE / name, project)
        shutil.copytree(HERE / "src", project / "src", ignore=shutil.ignore_patterns("__pycache__"))
        (project / "src/backlot/_program").mkdir()
        install(platform, stage)
        shutil.move(stage / "node_modules", project / "src/backlot/_program/node_modules")
        env = {**os.environ, "BACKLOT_WHEEL_PLATFORM": platform.tag}
        command = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "wheel",
            "--directory",
            str(folder.resolve()),
        ]
        subprocess.run(command, cwd=project, env=env, check=True, stdout=subprocess.DEVNULL)
    return max(folder.glob(f"backlot-*-{platform.tag}.whl"), key=lambda wheel: wheel.stat().st_mtime)


def install(platform: Platform, stage: Path) -> None:
    """Packs the npm package and installs it, with the dependencies of a platform, into a new folder."""
    stage.mkdir()
    packed = subprocess.run(
        ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", str(stage)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (stage / "package.json").write_text("{}")
    quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--no-bin-links", "--omit=dev"]
    command = ["npm", "install", *quiet, *platform.npm, f"./{packed.splitlines()[-1]}"]
    subprocess.run(command, cwd=stage, check=True, stdout=subprocess.DEVNULL)
    for name in UNUSED:
        path = stage / "node_modules/backlot" / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "linux-x64"
    if name not in PLATFORMS:
        raise SystemExit(f"unknown platform {name}; expected one of {', '.join(PLATFORMS)}")
    wheel = build(PLATFORMS[name], Path(sys.argv[2] if len(sys.argv) > 2 else HERE / "dist"))
    print(f"{wheel} ({wheel.stat().st_size / 1e6:.1f} MB)")
