"""The faces to the player: the commands, the pages and the HTTP API. No rule and no pixel here."""


def __getattr__(name: str) -> str:
    """`__version__`, which is asked of the installed package: few commands want to know it."""
    if name == "__version__":
        from importlib.metadata import version

        return version("stargazer")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
