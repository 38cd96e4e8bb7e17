"""Environments for Gymnasium: ``BacklotEnv`` for one desktop, ``BacklotVectorEnv`` for many on several processes.

The import registers their ids; so does the name of this module before an id: ``backlot.gym:backlot/Login-v0``.
"""

from __future__ import annotations

import ast
import json
import re
import zlib
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs import registration
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array
from numpy.typing import NDArray

from backlot import _wire
from backlot._wire import Call
from backlot.desktop import Socket
from backlot.errors import ToolError
from backlot.frames import FrameReader
from backlot.server import Server, Variant, launch

#: The scenarios of the gallery that have a task. A test compares them with the gallery.
SCENARIOS = (
    "back-office",
    "calendar",
    "chat",
    "desktop",
    "expense-reports",
    "files",
    "form",
    "inbox",
    "installer",
    "legacy",
    "login",
    "mail",
    "notepad",
    "office",
    "settings",
    "shop",
    "showcase",
    "table",
    "web",
    "workbook",
)

Observation = Literal["elements", "text", "pixels"]
Actions = Literal["elements", "text", "primitive"]
Action = tuple[str, dict[str, Any]]

#: Disjoint ranges of seeds. Each seed gives a scenario with parameters other data.
SPLITS: dict[str, range] = {
    "train": range(1, 1_000_000),
    "validation": range(1_000_000, 1_100_000),
    "test": range(1_100_000, 1_200_000),
}

_ROLES = (
    *("Window", "Dialog", "Pane", "Group", "ScrollArea", "ToolBar", "StatusBar", "TitleBar", "Expander", "Button"),
    *("SplitButton", "ToggleButton", "CheckBox", "RadioButton", "Link", "Edit", "Document", "ComboBox", "Slider"),
    *("Spinner", "DatePicker", "Calendar", "Day", "Text", "ProgressBar", "Image", "Separator", "Tooltip", "Toast"),
    *("List", "ListItem", "MenuBar", "Menu", "MenuItem", "TabControl", "TabItem", "Tree", "TreeItem", "Table"),
    *("Header", "HeaderItem", "Row", "Cell", "ScrollBar", "Splitter"),
)
#: Other spellings that are frequent; any other role has no feature of its own.
_SPELLINGS = {
    **{"Heading": "Text", "Label": "Text", "StaticText": "Text", "Paragraph": "Text", "Icon": "Image"},
    **{"PasswordEdit": "Edit", "PasswordBox": "Edit", "TextBox": "Edit", "SearchBox": "Edit", "Entry": "Edit"},
    **{"TextArea": "Document", "Editor": "Document", "Hyperlink": "Link", "Switch": "ToggleButton", "Form": "Group"},
}
#: The roles that actions of elements may have as target; others are shown but masked.
INTERACTIVE = frozenset(
    (
        *("Button", "SplitButton", "ToggleButton", "CheckBox", "RadioButton", "Link", "Edit", "Document", "ComboBox"),
        *("Slider", "Spinner", "DatePicker", "Day", "ListItem", "MenuItem", "TabItem", "TreeItem", "HeaderItem"),
        *("Row", "Cell", "Expander"),
    )
)
_ROLE_INDEX = {role: index for index, role in enumerate(_ROLES)}
_NAME_BUCKETS = 16
#: What each row of an observation of elements has, in this order; all values are from 0 to 1.
FEATURES = (
    *("present", "x", "y", "width", "height", "enabled", "focused", "selected", "expanded", "has_value"),
    *("name_in_task", "value_in_task", "interactive"),
    *(f"role_{role}" for role in _ROLES),
    *(f"name_{bucket}" for bucket in range(_NAME_BUCKETS)),
)

#: The kinds of a primitive action, and its keys.
KINDS = ("click", "double_click", "right_click", "move", "press", "release", "scroll_up", "scroll_down", "key", "wait")
KEYS = (
    *"abcdefghijklmnopqrstuvwxyz0123456789",
    *("enter", "tab", "shift+tab", "space", "backspace", "delete", "escape", "up", "down", "left", "right"),
    *("home", "end", "pageup", "pagedown", "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+z", "ctrl+s"),
    *(".", ",", "-", "/", "@", ":"),
)
_SCREEN = (1280, 800)
_WORD = re.compile(r"[\w@.+/-]*\w")
#: A quoted text of a task is typed as a whole.
_TYPED = re.compile(r'"([^"]+)"|„([^“]+)“|«([^»]+)»|([\w@.+/-]*\w)')


class Unicode(spaces.Text):
    """A text of any characters. ``Text`` of Gymnasium checks each against a set, which no screen keeps to."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


@dataclass
class Curriculum:
    """Scenarios by stage. The next stage begins when enough of the last episodes of the present one were solved.

    Attributes:
        stages: Names of scenarios, the easiest first. A later stage includes the earlier ones.
        promote_at: The share of solved episodes that begins the next stage.
        window: The number of episodes over which the share is taken.
    """

    stages: Sequence[Sequence[str]]
    promote_at: float = 0.8
    window: int = 50
    stage: int = 0
    _solved: deque[bool] = field(default_factory=deque, repr=False)

    @classmethod
    def by_difficulty(cls, server: Server, **options: Any) -> Curriculum:
        """The scenarios of a server that have a task, from easy over medium to hard."""
        listed = [each for each in server.scenarios() if each["task"] is not None]
        stages = [[each["scenario"] for each in listed if each["difficulty"] == level] for level in _DIFFICULTIES]
        return cls([stage for stage in stages if stage], **options)

    def scenarios(self) -> list[str]:
        """The scenarios of all stages so far."""
        return [name for stage in self.stages[: self.stage + 1] for name in stage]

    def report(self, solved: bool) -> None:
        """Counts an episode that has ended."""
        self._solved.append(solved)
        if len(self._solved) > self.window:
            self._solved.popleft()
        is_last = self.stage == len(self.stages) - 1
        if not is_last and len(self._solved) == self.window and sum(self._solved) >= self.promote_at * self.window:
            self.stage += 1
            self._solved.clear()


#: A message gets at most 16 MiB of results.
_PICTURES_PER_MESSAGE = 4
_DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Options:
    """What environments with one desktop and with many have in common.

    Attributes:
        scenario: A scenario, several to draw from, or a curriculum.
        observation: ``elements``: an array of ``max_elements`` rows with ``FEATURES``; ``text``: an outline of the
            focused window after the task; ``pixels``: height x width x 3 unsigned bytes.
        actions: ``elements``: a number, see ``element_actions``; ``text``: a call such as
            ``click_element(selector='Button "OK"')`` or its JSON; ``primitive``: kind, x, y and key.
        split: The name of a range in ``SPLITS``.
        seeds: The seeds of episodes, instead of a split.
        variant: The axes in which each scenario differs from its file.
        max_steps: Truncates an episode after this many actions.
        reward: ``oracle``: 1 when solved, -1 after failure or harm, else 0; ``progress`` adds the change of the score.
        max_elements: The most elements of an observation; later ones are not shown.
        max_words: The most words and quoted texts of the task that actions of elements can type; later ones count.
        downscale: Divides width and height of pixels.
    """

    scenario: str | Sequence[str] | Curriculum = "login"
    observation: Observation = "elements"
    actions: Actions = "elements"
    split: str = "train"
    seeds: Sequence[int] | None = None
    variant: Variant | None = None
    max_steps: int = 50
    reward: Literal["oracle", "progress"] = "oracle"
    max_elements: int = 32
    max_words: int = 16
    downscale: int = 1

    def __post_init__(self) -> None:
        if self.seeds is None and self.split not in SPLITS:
            raise ValueError(f"unknown split {self.split!r}; expected one of {', '.join(SPLITS)}, or give seeds")

    def element_actions(self) -> int:
        """The number of actions of elements: for each element a click and the typing of each word, then two more."""
        return self.max_elements * (1 + self.max_words) + len(_LAST_ACTIONS)

    def observation_space(self) -> spaces.Space[Any]:
        if self.observation == "elements":
            return spaces.Box(0, 1, (self.max_elements, len(FEATURES)), np.float32)
        if self.observation == "text":
            return Unicode(max_length=1_000_000)
        width, height = (side // self.downscale for side in _SCREEN)
        return spaces.Box(0, 255, (height, width, 3), np.uint8)

    def action_space(self) -> spaces.Space[Any]:
        if self.actions == "elements":
            return spaces.Discrete(self.element_actions())
        if self.actions == "text":
            return Unicode(max_length=10_000)
        return spaces.MultiDiscrete([len(KINDS), *_SCREEN, len(KEYS)])


class _Episode:
    """One desktop: what was observed last, and what an action means there."""

    def __init__(self, options: Options, shares_frames: bool = False) -> None:
        self.options = options
        self.frames = FrameReader() if shares_frames else None
        self.task = ""
        self.words: list[str] = []
        self.elements: list[Mapping[str, Any]] = []
        self.score = 0.0
        self.is_over = False

    def reset_call(self, random: np.random.Generator, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """The arguments of session_reset. ``options`` may have ``scenario``, ``seed`` and ``variant``."""
        asked = options or {}
        chosen = self.options.scenario
        names = (
            [chosen] if isinstance(chosen, str) else chosen.scenarios() if isinstance(chosen, Curriculum) else chosen
        )
        seeds = SPLITS[self.options.split] if self.options.seeds is None else self.options.seeds
        name = names[int(random.integers(len(names)))]
        seed = int(seeds[int(random.integers(len(seeds)))])
        variant = asked.get("variant", self.options.variant)
        return {
            "scenario": asked.get("scenario", name),
            "seed": asked.get("seed", seed),
            "variant": None if variant is None else {axis: _text(value) for axis, value in variant.items()},
            "max_steps": self.options.max_steps,
            **self.observe_args(),
        }

    def observe_args(self) -> dict[str, Any]:
        needs_tree = "elements" in (self.options.observation, self.options.actions)
        observe = "tree" if needs_tree else "outline" if self.options.observation == "text" else "none"
        if self.options.observation != "pixels":
            return {"observe": observe}
        return {"observe": observe, "screenshot": True, "screenshot_format": "shared" if self.frames else "rgb"}

    def begin(self, result: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        info = result["info"]
        self.task = info["task"] or ""
        self.words = list(dict.fromkeys("".join(found) for found in _TYPED.findall(self.task)))[
            -self.options.max_words :
        ]
        self.score = 0.0
        self.is_over = False
        return self._observe(result), self._info(info, None)

    def step_call(self, action: Any) -> dict[str, Any]:
        """The arguments of session_step."""
        calls = [{"tool": tool, "args": args} for tool, args in self._calls(action)]
        which = {"action": calls[0]} if len(calls) == 1 else {"actions": calls}
        return {**which, "max_steps": self.options.max_steps, **self.observe_args()}

    def end_step(self, result: Mapping[str, Any]) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        info = result["info"]
        reward = float(result["reward"])
        score = float(info.get("score") or 0.0)
        if self.options.reward == "progress":
            reward += score - self.score
        self.score = score
        terminated, truncated = bool(result["terminated"]), bool(result["truncated"])
        self.is_over = terminated or truncated
        if self.is_over and isinstance(self.options.scenario, Curriculum):
            self.options.scenario.report(result["reward"] == 1)
        error = info["action"].get("error")
        return self._observe(result), reward, terminated, truncated, self._info(info, error)

    def _info(self, info: Mapping[str, Any], error: Mapping[str, Any] | None) -> dict[str, Any]:
        """Without ids and times, so that the same seed and actions have the same info."""
        shown: dict[str, Any] = {
            "task": self.task,
            "scenario": info["scenario"],
            "seed": info["seed"],
            "score": self.score,
            "error": "" if error is None else f"{error['code']}: {error['message']}",
            "harm": "; ".join(info.get("harm", [])),
            "attack": "; ".join(info.get("attack", [])),
        }
        if self.options.actions == "elements":
            shown["action_mask"] = self.action_mask()
        return shown

    def _observe(self, result: Mapping[str, Any]) -> Any:
        seen = result["observation"]
        if "tree" in seen:
            self.elements = _flat(seen["tree"])[: self.options.max_elements]
        elif "outline" not in seen:
            self.elements = []
        if self.options.observation == "elements":
            return self._table()
        if self.options.observation == "text":
            outline = seen["outline"] if "outline" in seen else _outline(self.elements)
            return f"Task: {self.task}\n\n{outline}"
        if self.frames:
            return _fitted(self.frames.read(result).pixels[:, :, :3], self.options.downscale)
        shown = seen["screenshot"]
        pixels = np.frombuffer(shown["data"], np.uint8).reshape(shown["height"], shown["width"], 3)
        return _fitted(pixels, self.options.downscale)

    def _table(self) -> NDArray[np.float32]:
        table = np.zeros((self.options.max_elements, len(FEATURES)), np.float32)
        width, height = _SCREEN
        task = self.task.casefold()
        roles = FEATURES.index("role_Window")
        names = roles + len(_ROLES)
        for row, element in zip(table, self.elements, strict=False):
            bounds, value, name = element["bounds"], element["value"], element["name"]
            row[:roles] = (
                1,
                _share(bounds["x"], width),
                _share(bounds["y"], height),
                _share(bounds["width"], width),
                _share(bounds["height"], height),
                element["enabled"],
                element["focused"],
                element.get("selected", False),
                element.get("expanded", False),
                bool(value),
                bool(name) and name.casefold() in task,
                bool(value) and value.casefold() in task,
                _role(element) in INTERACTIVE,
            )
            role = _ROLE_INDEX.get(_role(element))
            if role is not None:
                row[roles + role] = 1
            for word in _WORD.findall(name.casefold()):
                row[names + zlib.crc32(word.encode()) % _NAME_BUCKETS] = 1
        return table

    def action_mask(self) -> NDArray[np.int8]:
        """Which actions of elements have a target on the screen; 1 for those."""
        mask = np.zeros(self.options.element_actions(), np.int8)
        per_element = 1 + self.options.max_words
        for index, element in enumerate(self.elements):
            if _role(element) not in INTERACTIVE or not element["enabled"] or element.get("hidden"):
                continue
            mask[index * per_element] = 1
            if _role(element) in _TYPED_INTO:
                mask[index * per_element + 1 : index * per_element + 1 + len(self.words)] = 1
        mask[-len(_LAST_ACTIONS) :] = 1
        return mask

    def _calls(self, action: Any) -> list[Action]:
        if self.options.actions == "text":
            return [parse_call(str(action))]
        if self.options.actions == "primitive":
            return [_primitive(*(int(part) for part in action))]
        number = int(action)
        last = number - self.options.max_elements * (1 + self.options.max_words)
        if last >= 0:
            return [_LAST_ACTIONS[last]]
        index, word = divmod(number, 1 + self.options.max_words)
        # A missing element or word is refused, as any action without a target.
        target = self.elements[index]["id"] if index < len(self.elements) else "none"
        if word == 0:
            return [("click_element", {"element_id": target})]
        typed = self.words[word - 1] if word <= len(self.words) else ""
        return [("set_value", {"element_id": target, "value": typed})]


#: The actions of elements that have no element.
_LAST_ACTIONS: tuple[Action, ...] = (("press_key", {"keys": "enter"}), ("wait", {"duration_ms": 1000}))
_TYPED_INTO = frozenset(("Edit", "Document", "Spinner"))


def _role(element: Mapping[str, Any]) -> str:
    role: str = element["role"]
    return _SPELLINGS.get(role, role)


def _flat(element: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The element and all below it, in the order of the tree."""
    return [element, *(below for child in element["children"] for below in _flat(child))]


def _outline(elements: Sequence[Mapping[str, Any]]) -> str:
    values = ("" if each["value"] is None else f": {each['value']}" for each in elements)
    return "\n".join(f'{each["role"]} "{each["name"]}"{value}' for each, value in zip(elements, values, strict=True))


def _share(part: float, whole: int) -> float:
    return min(max(part / whole, 0.0), 1.0)


def _text(value: str | int | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fitted(pixels: NDArray[np.uint8], downscale: int) -> NDArray[np.uint8]:
    """The picture in the size of the space: means of blocks, and black where another screen is smaller."""
    width, height = _SCREEN
    if pixels.shape[:2] != (height, width):
        whole = np.zeros((height, width, 3), np.uint8)
        part = pixels[:height, :width]
        whole[: part.shape[0], : part.shape[1]] = part
        pixels = whole
    if downscale == 1:
        return pixels.copy()
    rows, columns = height // downscale, width // downscale
    pixels = pixels[: rows * downscale, : columns * downscale]
    # Sums of whole slices take a tenth of the time of means over axes.
    lines = np.zeros((rows, pixels.shape[1], 3), np.uint32)
    for offset in range(downscale):
        lines += pixels[offset::downscale]
    total = np.zeros((rows, columns, 3), np.uint32)
    for offset in range(downscale):
        total += lines[:, offset::downscale]
    return (total // downscale**2).astype(np.uint8)


def _primitive(kind: int, x: int, y: int, key: int) -> Action:
    at: dict[str, Any] = {"x": x, "y": y}
    actions: dict[str, Action] = {
        "click": ("mouse_click", at),
        "double_click": ("mouse_click", {**at, "count": 2}),
        "right_click": ("mouse_click", {**at, "button": "right"}),
        "move": ("move_pointer", at),
        "press": ("mouse_down", at),
        "release": ("mouse_up", at),
        "scroll_up": ("mouse_scroll", {**at, "delta_y": -3}),
        "scroll_down": ("mouse_scroll", {**at, "delta_y": 3}),
        "key": ("press_keys", {"keys": KEYS[key]}),
        "wait": ("wait", {"duration_ms": 1000}),
    }
    return actions[KINDS[kind]]


def parse_call(text: str) -> Action:
    """Reads a call of a tool: ``click_element(selector='Button "OK"')`` or ``{"tool": …, "args": {…}}``.

    What is neither becomes a call that the desktop refuses, with the reason in ``info["error"]``.
    """
    try:
        if text.lstrip().startswith("{"):
            read = json.loads(text)
            return str(read["tool"]), dict(read.get("args", {}))
        parsed = ast.parse(text.strip(), mode="eval").body
        if isinstance(parsed, ast.Call) and isinstance(parsed.func, ast.Name) and not parsed.args:
            return parsed.func.id, {str(each.arg): ast.literal_eval(each.value) for each in parsed.keywords}
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError):
        pass
    return "not a call such as click_at(x=10, y=20)", {}


class BacklotEnv(gymnasium.Env[Any, Any]):
    """A desktop as an environment.

    The seed of ``reset`` chooses the scenario and the seed of each episode; ``options`` may name them:
    ``{"scenario": "login", "seed": 7, "variant": {"theme": "dark"}}``. ``terminated`` comes from the oracles and from
    ``finish``, ``truncated`` from ``max_steps``. ``info`` has ``task``, ``scenario``, ``seed``, ``score``, ``error`` of
    a refused action, ``harm``, ``attack`` and, with actions of elements, ``action_mask``.

    Args:
        server: The server to open the desktop on. By default the environment starts one and ends it in ``close``.
        render_mode: ``rgb_array`` for ``render()``.
        options: The fields of ``Options``.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(self, *, server: Server | None = None, render_mode: str | None = None, **options: Any) -> None:
        self._options = Options(**options)
        self.observation_space = self._options.observation_space()
        self.action_space = self._options.action_space()
        self.render_mode = render_mode
        self._given = server
        self._open = ExitStack()
        self._socket: Socket | None = None
        self._episode = _Episode(self._options)

    def _connect(self) -> None:
        """Opens the desktop, once: an environment that is only made starts nothing."""
        if self._socket is not None:
            return
        server = self._given or self._open.enter_context(launch())
        self._desktop = self._open.enter_context(server.open())
        self._socket = self._open.enter_context(self._desktop.socket())
        self._episode = _Episode(self._options, server.shares_frames)

    def _call(self, tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
        if self._socket is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        return self._socket.call(tool, args, binary=True)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode."""
        super().reset(seed=seed)
        self._connect()
        call = self._episode.reset_call(self.np_random, options)
        return self._episode.begin(self._call("session_reset", call))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Performs an action. A refused one changes nothing and counts."""
        return self._episode.end_step(self._call("session_step", self._episode.step_call(action)))

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask of the next action, under the name that sb3-contrib asks for."""
        return self._episode.action_mask().astype(bool)

    def render(self) -> Any:
        """The screen as height x width x 3 unsigned bytes."""
        if self.render_mode != "rgb_array" or self._socket is None:
            return None
        return self._desktop.screenshot("numpy")

    def close(self) -> None:
        """Closes the desktop, and the server that the environment started."""
        self._socket = None
        self._open.close()


class BacklotVectorEnv(VectorEnv[Any, Any, Any]):
    """Many desktops on several server processes, which work at the same time. One message per process and step.

    An episode that has ended is reset by the next ``step``, whose reward for it is 0 (``AutoresetMode.NEXT_STEP``).

    Args:
        num_envs: The number of desktops.
        processes: The number of server processes to start.
        server: A server to use instead.
        options: The fields of ``Options``.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": ["rgb_array"]}  # noqa: RUF012

    def __init__(self, num_envs: int = 8, *, processes: int = 2, server: Server | None = None, **options: Any) -> None:
        self.num_envs = num_envs
        self._options = Options(**options)
        self.single_observation_space = self._options.observation_space()
        self.single_action_space = self._options.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._open = ExitStack()
        try:
            self.server = used = server or self._open.enter_context(launch(processes=processes))
            self._desktops = [self._open.enter_context(used.open()) for _ in range(num_envs)]
            # Each server gets one message for all of its desktops.
            self._sockets: dict[str, Socket] = {}
            self._places: dict[str, list[int]] = {}
            for index, desktop in enumerate(self._desktops):
                url = desktop.url.partition("/sessions/")[0]
                self._places.setdefault(url, []).append(index)
                if url not in self._sockets:
                    self._sockets[url] = self._open.enter_context(desktop.socket())
        except BaseException:
            self._open.close()
            raise
        self._episodes = [_Episode(self._options, used.shares_frames) for _ in range(num_envs)]
        self._randoms: list[np.random.Generator] = []

    def _call_all(self, calls: Mapping[int, tuple[str, Mapping[str, Any]]]) -> dict[int, dict[str, Any]]:
        """Sends the calls of all desktops, then reads the results: the servers work at the same time."""
        has_pixels = self._options.observation == "pixels" and not self.server.shares_frames
        size = _PICTURES_PER_MESSAGE if has_pixels else _wire.MAX_CALLS
        sent = []
        for url, places in self._places.items():
            indices = [index for index in places if index in calls]
            if not indices:
                continue
            for start in range(0, len(indices), size):
                part = indices[start : start + size]
                batch = [Call(*calls[index], self._desktops[index].session_id) for index in part]
                sent.append((part, self._sockets[url].start(batch, binary=True)))
        results: dict[int, dict[str, Any]] = {}
        for indices, finish in sent:
            for index, result in zip(indices, finish(), strict=True):
                if isinstance(result, ToolError):
                    raise result
                results[index] = result
        return results

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode on every desktop. An integer is the seed of the first; the others have the next ones."""
        seeds = [None] * self.num_envs if seed is None else seed if isinstance(seed, list) else None
        listed = [cast(int, seed) + index for index in range(self.num_envs)] if seeds is None else seeds
        for index, each in enumerate(listed):
            if each is not None or len(self._randoms) <= index:
                random = np.random.default_rng(each)
                self._randoms[index : index + 1] = [random]
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, bool))
        calls = {
            index: ("session_reset", self._episodes[index].reset_call(self._randoms[index], options))
            for index in range(self.num_envs)
            if mask[index]
        }
        results = self._call_all(calls)
        begun = {index: self._episodes[index].begin(result) for index, result in results.items()}
        if len(begun) == self.num_envs:
            self._last = [begun[index][0] for index in range(self.num_envs)]
        for index, (observation, _) in begun.items():
            self._last[index] = observation
        infos: dict[str, Any] = {}
        for index, (_, info) in begun.items():
            infos = self._add_info(infos, info, index)
        return self._batch(), infos

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Performs an action on every desktop, or starts the next episode where the last one has ended."""
        rewards = np.zeros(self.num_envs)
        terminated = np.zeros(self.num_envs, bool)
        truncated = np.zeros(self.num_envs, bool)
        begins = [episode.is_over for episode in self._episodes]
        calls: dict[int, tuple[str, Mapping[str, Any]]] = {}
        for index, (episode, action) in enumerate(zip(self._episodes, actions, strict=True)):
            is_new = begins[index]
            calls[index] = (
                ("session_reset", episode.reset_call(self._randoms[index], None))
                if is_new
                else ("session_step", episode.step_call(action))
            )
        results = self._call_all(calls)
        infos: dict[str, Any] = {}
        for index, episode in enumerate(self._episodes):
            if begins[index]:
                self._last[index], info = episode.begin(results[index])
            else:
                self._last[index], rewards[index], terminated[index], truncated[index], info = episode.end_step(
                    results[index]
                )
            infos = self._add_info(infos, info, index)
        return self._batch(), rewards, terminated, truncated, infos

    def _batch(self) -> Any:
        empty: Any = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, self._last, empty)

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks of the next actions: desktops x actions."""
        return np.stack([episode.action_mask() for episode in self._episodes]).astype(bool)

    def render(self) -> tuple[Any, ...]:
        """The screen of each desktop."""
        return tuple(desktop.screenshot("numpy") for desktop in self._desktops)

    def close_extras(self, **_: Any) -> None:
        """Closes the desktops, and the servers that the environment started."""
        self._open.close()


def _register() -> None:
    """Registers ``backlot/Scenario-v0``, whose scenario is an argument, and ``backlot/BackOffice-v0`` and its like."""
    ids = {"".join(map(str.capitalize, scenario.split("-"))): {"scenario": scenario} for scenario in SCENARIOS}
    for name, kwargs in {"Scenario": {}, **ids}.items():
        registration.register(
            id=f"backlot/{name}-v0",
            entry_point="backlot.gym:BacklotEnv",
            vector_entry_point="backlot.gym:BacklotVectorEnv",
            kwargs=kwargs,
        )


_register()
