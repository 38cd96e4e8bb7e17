"""Desktops on many machines with Ray: actors that play episodes, each on a server beside it or on a remote one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import ray
from ray.util import ActorPool

from backlot.desktop import Desktop
from backlot.server import Server, Variant, connect, launch

Played = TypeVar("Played")


class DesktopActor:
    """Plays one episode after another. Use ``desktop_actors`` to start several.

    Args:
        url: The URL of a running server, or several. Without one the actor starts a server, which ends with it.
        token: The harness token of that server.
        options: Arguments of ``backlot.launch``, or of ``backlot.connect``.
    """

    def __init__(self, url: str | Sequence[str] | None = None, token: str | None = None, **options: Any) -> None:
        self._server: Server = launch(**options) if url is None else connect(url, token, **options)

    def play(
        self, episode: Callable[[Desktop], Played], scenario: str, seed: int, variant: Variant | None = None
    ) -> Played:
        """Opens a desktop, calls ``episode`` with it, and closes it."""
        with self._server.open(scenario, seed=seed, variant=variant) as desktop:
            return episode(desktop)

    def node(self) -> str:
        """The id of the node that it runs on."""
        return str(ray.get_runtime_context().get_node_id())

    def urls(self) -> list[str]:
        """The URLs of its servers."""
        return self._server.urls


def desktop_actors(count: int, *, num_cpus: float = 1, **options: Any) -> list[Any]:
    """Starts actors, spread over the nodes of the cluster. Ray restarts one that is lost, and plays its episode again.

    Args:
        count: The number of actors.
        num_cpus: The processors that Ray counts for each. A server of its own keeps 1.4 busy when nothing waits.
        options: The arguments of ``DesktopActor``.
    """
    actor = ray.remote(DesktopActor)
    # Without this Ray puts actors on one node while it has room.
    placed = actor.options(num_cpus=num_cpus, scheduling_strategy="SPREAD", max_restarts=-1, max_task_retries=-1)
    return [placed.remote(**options) for _ in range(count)]


def play_all(
    actors: Sequence[Any],
    episode: Callable[[Desktop], Played],
    scenario: str,
    seeds: Iterable[int],
    variant: Variant | None = None,
) -> list[Played]:
    """Plays an episode of each seed, each on the next actor that is free. Results are in the order of the seeds.

    Example:
        >>> rewards = play_all(desktop_actors(8), run_my_agent, "login", range(1, 101))
    """
    pool: Any = ActorPool(list(actors))
    return list(pool.map(lambda actor, seed: actor.play.remote(episode, scenario, seed, variant), list(seeds)))
