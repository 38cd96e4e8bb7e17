"""Trains a policy with masked PPO on observations of elements, and measures it on seeds that it has not seen.

Needs ``pip install "backlot[gymnasium]" stable-baselines3 sb3-contrib``. See docs/training.md.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import backlot
from backlot.gym import SPLITS, BacklotEnv

SCENARIOS = ("login",)
OPTIONS: dict[str, Any] = {"reward": "progress", "max_steps": 10, "max_elements": 16, "max_words": 8}
VARIANTS = {"dark": {"theme": "dark"}, "large": {"scale": 1.25}, "macos": {"style": "macos"}}
Policy = Callable[[np.ndarray, np.ndarray], int]


def interval(successes: int, count: int) -> tuple[float, float]:
    """The 95 % interval of Wilson."""
    z, share = 1.96, successes / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return round(max(0.0, middle - half), 3), round(min(1.0, middle + half), 3)


def measure(server: backlot.Server, scenario: str, policy: Policy, seeds: list[int], variant: Any = None) -> Any:
    """The share of episodes that a policy solves, with its interval."""
    env = BacklotEnv(server=server, scenario=scenario, variant=variant, **{**OPTIONS, "reward": "oracle"})
    solved = 0
    for seed in seeds:
        observation, info = env.reset(options={"seed": seed})
        ended, reward = False, 0.0
        while not ended:
            action = policy(observation, info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
        solved += reward == 1
    env.close()
    return {
        "solved": solved,
        "episodes": len(seeds),
        "share": solved / len(seeds),
        "interval": interval(solved, len(seeds)),
    }


class Curve(BaseCallback):
    """Measures the policy on validation seeds from time to time."""

    def __init__(self, server: backlot.Server, scenarios: list[str], every: int, episodes: int) -> None:
        super().__init__()
        self.server, self.scenarios, self.every = server, scenarios, every
        self.seeds = list(SPLITS["validation"])[:episodes]
        self.rows: list[Any] = []

    def _on_step(self) -> bool:
        if self.num_timesteps >= (len(self.rows) + 1) * self.every:
            row = {
                name: measure(self.server, name, policy_of(self.model), self.seeds)["share"] for name in self.scenarios
            }
            self.rows.append({"steps": self.num_timesteps, **row})
            print(json.dumps(self.rows[-1]), flush=True)
        return True


def policy_of(model: Any) -> Policy:
    def act(observation: np.ndarray, mask: np.ndarray) -> int:
        return int(model.predict(observation, action_masks=mask.astype(bool), deterministic=True)[0])

    return act


def random_policy(seed: int) -> Policy:
    random = np.random.default_rng(seed)
    return lambda _, mask: int(random.choice(np.flatnonzero(mask)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS))
    parser.add_argument("--out", type=Path, default=Path("training.json"))
    args = parser.parse_args()
    held_out = list(SPLITS["test"])[: args.episodes]
    with backlot.launch() as server:

        def make() -> Any:
            env = BacklotEnv(server=server, scenario=args.scenarios, **OPTIONS)
            return ActionMasker(env, lambda env: env.unwrapped.action_masks())

        vector = DummyVecEnv([make] * args.envs)
        model = MaskablePPO(
            "MlpPolicy", vector, n_steps=64, batch_size=128, n_epochs=8, learning_rate=1e-3, gamma=0.9,
            ent_coef=0.01, seed=args.seed, device="cpu",
        )  # fmt: skip
        curve = Curve(server, args.scenarios, every=max(args.steps // 4, 1), episodes=min(args.episodes, 10))
        begun, used = time.time(), time.process_time()
        model.learn(args.steps, callback=curve)
        seconds = {"wall": round(time.time() - begun), "processor_of_python": round(time.process_time() - used)}
        trained, at_random = policy_of(model), random_policy(args.seed)
        results = {
            name: {
                "trained": measure(server, name, trained, held_out),
                "random": measure(server, name, at_random, held_out),
                **{
                    f"trained, {key}": measure(server, name, trained, held_out, value)
                    for key, value in VARIANTS.items()
                },
            }
            for name in args.scenarios
        }
        vector.close()
    report = {
        "arguments": {**vars(args), "out": str(args.out)}, "options": OPTIONS, "seconds": seconds,
        "curve": curve.rows, "held_out": results,
    }  # fmt: skip
    args.out.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
