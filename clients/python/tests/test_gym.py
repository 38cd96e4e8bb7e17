from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import backlot.gym
from backlot import Server
from backlot.gym import KEYS, KINDS, SCENARIOS, SPLITS, BacklotEnv, BacklotVectorEnv, Curriculum, Options, parse_call


@pytest.fixture
def env(server: Server) -> Iterator[BacklotEnv]:
    made = BacklotEnv(server=server, scenario="login", render_mode="rgb_array")
    yield made
    made.close()


def solution(env: BacklotEnv, info: dict[str, Any]) -> list[int]:
    """The actions of elements that solve ``login``."""
    names = [element["name"] for element in env._episode.elements]
    per_element = 1 + env._options.max_words
    user = info["task"].removeprefix("Sign in to Acme as ").partition(".")[0]
    word = env._episode.words.index(user)
    name, password, button = (names.index(each) * per_element for each in ("Username", "Password", "Login"))
    return [name + 1 + word, password + 1, button]


@pytest.mark.parametrize(
    ("observation", "actions"),
    [("elements", "elements"), ("text", "text"), ("pixels", "primitive"), ("text", "elements"), ("pixels", "text")],
)
def test_passes_the_checker_of_gymnasium(server: Server, observation: Any, actions: Any) -> None:
    env = BacklotEnv(server=server, scenario=["login", "settings"], observation=observation, actions=actions)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Text has no flat form, and the checker of one environment says so.
        warnings.filterwarnings("ignore", message=".*(spec|flat|render).*")
        check_env(env, skip_render_check=False)


def test_the_actions_of_elements_solve_a_scenario_and_are_not_masked(env: BacklotEnv) -> None:
    _, info = env.reset(seed=1)
    assert (info["scenario"], info["seed"] in SPLITS["train"], info["score"], info["error"]) == ("login", True, 0, "")
    results = []
    for action in solution(env, info):
        assert info["action_mask"][action] == 1
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space
        results.append((reward, terminated, truncated))
    assert results == [(0, False, False), (0, False, False), (1, True, False)]
    assert info["score"] == 1


def test_an_action_without_a_target_is_refused_and_counts(server: Server) -> None:
    env = BacklotEnv(server=server, max_steps=2)
    _, info = env.reset(seed=1)
    last = Options().element_actions() - 3
    assert (env.action_space.contains(last), info["action_mask"][last]) == (True, 0)
    assert env.step(last)[4]["error"].startswith("ElementNotFound: ")
    _, reward, terminated, truncated, _ = env.step(last)
    assert (reward, terminated, truncated) == (0, False, True)
    env.close()


def test_the_last_actions_of_elements_press_enter_and_wait(env: BacklotEnv) -> None:
    _, info = env.reset(seed=1)
    count = Options().element_actions()
    assert list(info["action_mask"][-2:]) == [1, 1]
    assert [env.step(action)[4]["error"] for action in (count - 2, count - 1)] == ["", ""]


def test_progress_rewards_each_part_of_the_way_once(server: Server) -> None:
    env = BacklotEnv(server=server, scenario="form", actions="text", observation="text", reward="progress")
    _, info = env.reset(seed=1)
    _, reward, *_, info = env.step("click_element(selector='CheckBox \"I accept the terms\"')")
    assert reward == pytest.approx(info["score"])
    assert env.step("get_pointer()")[1] == 0
    env.close()


def test_the_seed_chooses_scenario_and_episode_and_options_name_them(env: BacklotEnv) -> None:
    def drawn(seed: int | None) -> tuple[str, int]:
        _, info = env.reset(seed=seed)
        return info["scenario"], info["seed"]

    first = [drawn(7), drawn(None), drawn(None)]
    assert [drawn(7), drawn(None), drawn(None)] == first
    assert len(set(first)) == 3
    _, info = env.reset(options={"scenario": "settings", "seed": 3, "variant": {"theme": "dark"}})
    assert (info["scenario"], info["seed"]) == ("settings", 3)


def test_splits_are_disjoint_and_chosen_by_name(server: Server) -> None:
    seeds = [set(split) for split in SPLITS.values()]
    assert sum(len(each) for each in seeds) == len(set().union(*seeds))
    env = BacklotEnv(server=server, split="test")
    assert env.reset(seed=1)[1]["seed"] in SPLITS["test"]
    env.close()
    with pytest.raises(ValueError, match="expected one of train, validation, test"):
        BacklotEnv(split="nowhere")


def test_pixels_are_those_of_the_screen_and_downscale_averages(server: Server) -> None:
    env = BacklotEnv(server=server, observation="pixels", actions="primitive", render_mode="rgb_array")
    observation, _ = env.reset(options={"seed": 1})
    assert numpy.array_equal(observation, env.render())
    action = (KINDS.index("key"), 0, 0, KEYS.index("tab"))
    after, *_ = env.step(action)
    assert numpy.array_equal(after, env.render())
    assert not numpy.array_equal(after, observation)
    env.close()
    env.close()
    small = BacklotEnv(server=server, observation="pixels", actions="primitive", downscale=8)
    shrunk, _ = small.reset(options={"seed": 1})
    assert shrunk.shape == small.observation_space.shape == (100, 160, 3)
    means = observation.reshape(100, 8, 160, 8, 3).mean(axis=(1, 3))
    assert numpy.array_equal(shrunk, means.astype(numpy.uint8))
    small.close()


def test_pixels_over_the_wire_are_those_of_the_memory(server: Server) -> None:
    remote = backlot.connect(server.url, server.harness_tokens[0])
    assert (server.shares_frames, remote.shares_frames) == (True, False)
    seen = []
    for used in (server, remote):
        vector = BacklotVectorEnv(6, server=used, observation="pixels", actions="primitive", downscale=4)
        seen.append(vector.reset(seed=3)[0])
        vector.close()
    remote.close()
    assert numpy.array_equal(*seen)


def test_a_quoted_text_of_the_task_is_typed_as_a_whole(server: Server) -> None:
    env = BacklotEnv(server=server, scenario="showcase")
    _, info = env.reset(options={"seed": 1_100_000})
    assert info["task"].endswith(' with the note "Keep dry".')
    words = env._episode.words
    names = [element["name"] for element in env._episode.elements]
    note = names.index("Note") * (1 + env._options.max_words) + 1 + words.index("Keep dry")
    assert (info["action_mask"][note], env.step(note)[4]["error"]) == (1, "")
    assert env._episode.elements[names.index("Note")]["value"] == "Keep dry"
    env.close()


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_every_primitive_action_is_accepted(env: BacklotEnv, server: Server, kind: int) -> None:
    primitive = BacklotEnv(server=server, observation="text", actions="primitive")
    primitive.reset(seed=1)
    assert primitive.step((kind, 640, 400, 0))[4]["error"] == ""
    primitive.close()


def test_every_key_is_a_key(server: Server) -> None:
    env = BacklotEnv(server=server, observation="text", actions="primitive", max_steps=1000)
    env.reset(seed=1)
    errors = [env.step((KINDS.index("key"), 0, 0, key))[4]["error"] for key in range(len(KEYS))]
    assert errors == [""] * len(KEYS)
    env.close()


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("click_at(x=10, y=20)", ("click_at", {"x": 10, "y": 20})),
        ("click_element(selector='Button \"OK\"')", ("click_element", {"selector": 'Button "OK"'})),
        ('{"tool": "finish", "args": {"status": "done"}}', ("finish", {"status": "done"})),
        ("finish()", ("finish", {})),
        ("click_at(10, 20)", ("not a call such as click_at(x=10, y=20)", {})),
        ("os.system('x')", ("not a call such as click_at(x=10, y=20)", {})),
        ("click_at(x=f())", ("not a call such as click_at(x=10, y=20)", {})),
        ("(" * 5000, ("not a call such as click_at(x=10, y=20)", {})),
        ("", ("not a call such as click_at(x=10, y=20)", {})),
    ],
)
def test_a_text_is_read_as_a_call_and_never_run(text: str, call: object) -> None:
    assert parse_call(text) == call


def test_registered_ids_are_the_scenarios_with_a_task(server: Server) -> None:
    tasks = [each["scenario"] for each in server.scenarios() if each["task"] is not None]
    assert sorted(SCENARIOS) == sorted(tasks)
    ids = [env_id for env_id in gymnasium.registry if env_id.startswith("backlot/")]
    assert len(ids) == len(SCENARIOS) + 1
    env = gymnasium.make("backlot/BackOffice-v0", server=server, observation="text", actions="text")
    assert env.reset(seed=1)[1]["scenario"] == "back-office"
    env.close()


REGISTRY = """
import gymnasium

env = gymnasium.make("backlot.gym:backlot/Login-v0", disable_env_checker=True)
print(env.reset(seed=1)[1]["scenario"], env.spec.id)
env.close()
vector = gymnasium.make_vec("backlot/Scenario-v0", num_envs=2, vectorization_mode="vector_entry_point", scenario="form")
print(list(vector.reset(seed=1)[1]["scenario"]))
vector.close()
"""


def test_an_id_with_the_module_needs_no_import(tmp_path: Path) -> None:
    """Gymnasium since 1.0 has no entry points of packages."""
    command = [sys.executable, "-W", "error", "-c", REGISTRY]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = ["login backlot/Login-v0", "['form', 'form']"]
    assert (made.stdout.splitlines(), made.stderr, made.returncode) == (lines, "", 0)


def test_a_curriculum_goes_on_when_enough_is_solved(server: Server) -> None:
    curriculum = Curriculum([["login"], ["settings", "form"]], promote_at=0.5, window=2)
    env = BacklotEnv(server=server, scenario=curriculum)
    for _ in range(2):
        _, info = env.reset(seed=1)
        assert info["scenario"] == "login"
        for action in solution(env, info):
            env.step(action)
    assert curriculum.scenarios() == ["login", "settings", "form"]
    env.close()
    stages = Curriculum.by_difficulty(server).stages
    assert [len(stage) > 0 for stage in stages] == [True, True, True]
    assert "login" in stages[0]


@pytest.mark.parametrize(
    ("observation", "actions"), [("elements", "elements"), ("text", "text"), ("pixels", "primitive")]
)
def test_many_desktops_have_the_episodes_of_single_ones(observation: Any, actions: Any) -> None:
    count = 9
    options = {"scenario": "login", "observation": observation, "actions": actions, "max_steps": 3}
    vector = BacklotVectorEnv(count, processes=2, **options)
    with backlot.launch() as server:
        singles = [BacklotEnv(server=server, **options) for _ in range(count)]
        observations, infos = vector.reset(seed=5)
        expected = [env.reset(seed=5 + index) for index, env in enumerate(singles)]
        assert observations in vector.observation_space
        assert [data_equivalence(a, b[0], exact=True) for a, b in zip(observations, expected, strict=True)] == [
            True
        ] * count
        assert list(infos["seed"]) == [info["seed"] for _, info in expected]
        vector.action_space.seed(1)
        for step in range(3):
            actions_taken = vector.action_space.sample()
            observations, rewards, terminated, truncated, infos = vector.step(actions_taken)
            alone = [env.step(action) for env, action in zip(singles, actions_taken, strict=True)]
            assert list(rewards) == [each[1] for each in alone]
            assert list(truncated) == [each[3] for each in alone] == [step == 2] * count
            for each, single in zip(observations, alone, strict=True):
                assert data_equivalence(each, single[0], exact=True)
        _, rewards, terminated, truncated, infos = vector.step(vector.action_space.sample())
        assert numpy.count_nonzero([rewards, terminated, truncated]) == 0
        assert list(infos["score"]) == [0] * count
        for env in singles:
            env.close()
    pids = [process.pid for process in vector.server.processes]
    assert len(pids) == 2
    vector.close()
    assert [process.is_running for process in vector.server.processes] == [False, False]


def test_vector_environments_come_from_the_registry(server: Server) -> None:
    vector = gymnasium.make_vec("backlot/Login-v0", num_envs=2, vectorization_mode="vector_entry_point", server=server)
    vector.reset(seed=1)
    masks = vector.unwrapped.action_masks()  # type: ignore[attr-defined]
    assert masks.shape == (2, Options().element_actions())
    vector.close()
