"""Trains a policy with masked PPO on observations of elements, and measures it on seeds that it has not seen.

Needs ``pip install "backlot[gymnasium]" stable-baselines3 sb3-contrib``. See docs/training.md.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import backlot
from backlot._process import command
from backlot.gym import SPLITS, BacklotEnv

OPTIONS: dict[str, Any] = {"reward": "progress", "max_steps": 12, "max_elements": 32, "max_words": 12}
VARIANTS: dict[str, dict[str, Any]] = {
    "dark": {"theme": "dark"},
    "large": {"scale": 1.25},
    "windows": {"style": "windows"},
    "macos": {"style": "macos"},
    "german": {"locale": "de"},
    "windows-uia": {"personality": "windows-uia"},
    "macos-ax": {"personality": "macos-ax"},
    "linux-gtk": {"personality": "linux-gtk"},
    "web-chromium": {"personality": "web-chromium"},
}
Policy = Callable[[np.ndarray, np.ndarray], int]


def interval(successes: int, count: int) -> tuple[float, float]:
    """The 95 % interval of Wilson."""
    z, share = 1.96, successes / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return round(max(0.0, middle - half), 3), round(min(1.0, middle + half), 3)


def row(solved: int, episodes: int, harmed: int, starts: int) -> dict[str, Any]:
    return {
        "solved": solved, "episodes": episodes, "share": round(solved / episodes, 3),
        "interval": interval(solved, episodes), "failed_or_harmed": harmed, "different_starts": starts,
    }  # fmt: skip


def measure(server: backlot.Server, scenario: str, policy: Policy, seeds: list[int], variant: Any = None) -> Any:
    """How many episodes a policy solves. Episodes whose start looks alike are as many as ``different_starts``."""
    env = BacklotEnv(server=server, scenario=scenario, variant=variant, **{**OPTIONS, "reward": "oracle"})
    starts, rewards = set(), []
    for seed in seeds:
        observation, info = env.reset(options={"seed": seed})
        starts.add((info["task"], observation.tobytes()))
        ended, reward = False, 0.0
        while not ended:
            observation, reward, terminated, truncated, info = env.step(policy(observation, info["action_mask"]))
            ended = terminated or truncated
        rewards.append(reward)
    env.close()
    return row(rewards.count(1), len(seeds), rewards.count(-1), len(starts))


def measure_solution(scenario: str, seeds: list[int]) -> Any:
    """The same of the solution in the file of the scenario."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["--agent", "solution", "--seeds", f"{seeds[0]}..{seeds[-1]}", "--traces", "none", "--workers", "1"]
        subprocess.run([*command(), "eval", scenario, *wanted, "--out", folder], check=True, capture_output=True)
        lines = [json.loads(line) for line in (Path(folder) / "results.jsonl").read_text().splitlines()]
    starts = {line["instance"] for line in lines}
    return row(sum(line["success"] for line in lines), len(lines), 0, len(starts))


class Curve(BaseCallback):
    """Measures the policy on validation seeds from time to time."""

    def __init__(self, server: backlot.Server, scenarios: list[str], every: int) -> None:
        super().__init__()
        self.server, self.scenarios, self.every = server, scenarios, every
        self.rows: list[Any] = []

    def _on_step(self) -> bool:
        if self.num_timesteps >= (len(self.rows) + 1) * self.every:
            seeds, policy = list(SPLITS["validation"])[:10], policy_of(self.model)
            solved = {name: measure(self.server, name, policy, seeds)["solved"] for name in self.scenarios}
            self.rows.append({"steps": self.num_timesteps, "solved_of_10": solved})
            print(json.dumps(self.rows[-1]), flush=True)
        return True


def policy_of(model: Any) -> Policy:
    def act(observation: np.ndarray, mask: np.ndarray) -> int:
        return int(model.predict(observation, action_masks=mask.astype(bool), deterministic=True)[0])

    return act


def random_policy(seed: int) -> Policy:
    random = np.random.default_rng(seed)
    return lambda _, mask: int(random.choice(np.flatnonzero(mask)))


def train(server: backlot.Server, args: argparse.Namespace, seed: int) -> dict[str, Any]:
    """One training, and what its policy solves on held-out seeds, as they are and in each variant."""

    def make() -> Any:
        env = BacklotEnv(server=server, scenario=args.scenarios, **OPTIONS)
        return ActionMasker(env, lambda env: env.unwrapped.action_masks())

    vector = DummyVecEnv([make] * args.envs)
    model = MaskablePPO(
        "MlpPolicy", vector, n_steps=64, batch_size=128, n_epochs=8, learning_rate=1e-3, gamma=0.9,
        ent_coef=0.01, seed=seed, device="cpu",
    )  # fmt: skip
    curve = Curve(server, args.scenarios, every=args.steps // 6)
    begun, used = time.time(), time.process_time()
    model.learn(args.steps, callback=curve)
    seconds = {"wall": round(time.time() - begun), "processor_of_python": round(time.process_time() - used)}
    vector.close()
    held_out, policy = list(SPLITS["test"])[: args.episodes], policy_of(model)
    return {
        "seed": seed, "seconds": seconds, "curve": curve.rows,
        "held_out": {
            name: {
                "as it is": measure(server, name, policy, held_out),
                **{key: measure(server, name, policy, held_out[::3], value) for key, value in VARIANTS.items()},
            }
            for name in args.scenarios
        },
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=42_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--episodes", type=int, default=50)
    parser.add_argument("--scenarios", nargs="+", default=["login", "settings", "showcase"])
    parser.add_argument("--out", type=Path, default=Path("training.json"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    held_out = list(SPLITS["test"])[: args.episodes]
    with backlot.launch() as server:
        baselines = {
            name: {
                "random": measure(server, name, random_policy(1), held_out),
                "solution": measure_solution(name, held_out),
            }
            for name in args.scenarios
        }
        report = {"arguments": {**vars(args), "out": args.out.name}, "options": OPTIONS, "variants": VARIANTS,
                  "baselines": baselines, "trainings": []}  # fmt: skip
        for seed in args.seeds:
            report["trainings"].append(train(server, args, seed))
            # Written after each training, so that an interrupted run keeps those that it finished.
            args.out.write_text(json.dumps(report, indent=1) + "\n")
            print(json.dumps(report["trainings"][-1]["held_out"], indent=1), flush=True)


if __name__ == "__main__":
    main()
