"""The ids of Gymnasium. Its entry point imports this module alone, so that ``import gymnasium`` stays fast."""

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
    "workbook",
)


def register(namespace: str = "") -> None:
    """Registers ``backlot/Scenario-v0``, whose scenario is an argument, and ``backlot/BackOffice-v0`` and its like.

    Gymnasium itself adds the namespace where it finds this function by its entry point.
    """
    from gymnasium.envs import registration

    ids = {"".join(map(str.capitalize, scenario.split("-"))): {"scenario": scenario} for scenario in SCENARIOS}
    for name, kwargs in {"Scenario": {}, **ids}.items():
        env_id = f"{namespace}{name}-v0"
        if env_id not in registration.registry:
            registration.register(
                id=env_id,
                entry_point="backlot.gym:BacklotEnv",
                vector_entry_point="backlot.gym:BacklotVectorEnv",
                kwargs=kwargs,
            )
