"""Keys and types of a turn in a game record."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from scorer.datafile import key_of
from scorer.nebula.turns.actions import Source
from scorer.nebula.turns.stars import Stars
from scorer.nebula.words import BLACK
from scorer.validation import FileModel, invalid, reason_of

Star = Literal["red", "purple", "yellow", "white", "blue", "orange", "black"]


class CollectShape(FileModel):
    """How stars were collected. `moves` may hold anything, as the rules check it."""

    by: Literal["time", "chaos"]
    moves: list[Any] | None = None
    took: list[Star | None] | None = None
    returned: Star | None = None
    drew: list[Star] | None = None
    kept: list[Star] | None = None

    @model_validator(mode="after")
    def _has_its_keys(self) -> "CollectShape":
        needed = ("moves", "took") if self.by == "time" else ("returned", "drew", "kept")
        for key in needed:
            if getattr(self, key) is None:
                raise invalid(f"needs `{key}`, as it is by {self.by}")
        return self


class BoostedShape(FileModel):
    """How the boosted star was replaced."""

    source: Annotated[Source, Field(alias="from")]
    drew: list[Star]
    back: list[Star]
    new: Star


class ValueShape(FileModel):
    token: str
    square: int
    on: list[str]


class PlacedShape(FileModel):
    """One star placed, and its consequences."""

    star: Star
    space: str | None = None
    replaced: Star | None = None
    slot: int | None = None
    indicator: int | None = None
    boosted: BoostedShape | None = None
    value: ValueShape | None = None

    @model_validator(mode="after")
    def _has_its_keys(self) -> "PlacedShape":
        if self.space is None and self.slot is None:
            key = "slot" if self.star == BLACK else "space"
            raise invalid(f"needs `{key}`: where the star was placed")
        if self.star == BLACK and self.space is None and self.indicator is None:
            raise invalid("needs `indicator`: its square after the black star")
        return self


class ClaimShape(FileModel):
    card: str
    place: Literal["first", "later"]


class RefillShape(FileModel):
    cluster: int
    space: int
    star: Star


class CountsShape(FileModel):
    red: int
    purple: int
    yellow: int
    white: int
    blue: int
    orange: int
    black: int

    @property
    def stars(self) -> Stars:
        return Stars(**self.model_dump())


class AfterShape(FileModel):
    """Bag, box, hours and boosted star at the end of a turn."""

    bag: CountsShape
    box: CountsShape
    hours: list[int]
    boosted: Star


class TurnShape(FileModel):
    """One turn, from collecting to refilling."""

    player: int
    collect: CollectShape
    placed: list[PlacedShape]
    claims: list[ClaimShape]
    refill: list[RefillShape]
    after: AfterShape


class ShapeError(ValueError):
    """A turn with a wrong key or type; `key` is its place, str() what is wrong."""

    def __init__(self, key: str, reason: str) -> None:
        self.key = key
        super().__init__(reason)


def turn_of(data: object) -> TurnShape:
    """The turn in some data. Raise ShapeError for a wrong key or type.

    >>> turn_of({"player": "Ana"})
    Traceback (most recent call last):
    scorer.nebula.records.shape.ShapeError: must be a whole number, not 'Ana'
    """
    try:
        return TurnShape.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ShapeError(key_of(first["loc"]), reason_of(first)) from None
