"""Read edition files. Imported only then, as pydantic is slow to import."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from scorer.datafile import Problem, read_package_file
from scorer.editions import EditionError, extended
from scorer.families import renumbered
from scorer.polaris.action_card import ActionCard, Choice, Deck, ShownLink
from scorer.polaris.board import Orientation
from scorer.polaris.card import (
    COMMON_ENTRIES,
    PERSONAL_ENTRIES,
    TIERS,
    make_common_card,
    make_personal_card,
)
from scorer.polaris.edition import Edition
from scorer.polaris.facts import SECTORS
from scorer.polaris.game import PHASES
from scorer.topology_file import with_numbers
from scorer.validation import FileModel, invalid, validate, with_further

Count = Annotated[int, Field(ge=0)]
Size = Annotated[int, Field(ge=1)]


def _one_orientation(value: dict[Orientation, list[Count]]) -> dict[Orientation, list[Count]]:
    if len(value) != 1:
        raise invalid("must be one link: an orientation, and the stars that it touches")
    return value


class _Choice(FileModel):
    stars: Count = 0
    links: list[Annotated[dict[Orientation, list[Count]], AfterValidator(_one_orientation)]] = (
        Field(default_factory=list)
    )
    shooting: Count = 0


class _Face(FileModel):
    deck: Deck = "basic"
    dawn: bool = False
    choices: list[_Choice] = Field(default_factory=list)
    moons: list[str] | None = None


class _File(FileModel):
    format: Literal[1] = 1
    game: Literal["polaris"] = "polaris"
    name: str = ""
    colours: list[str] = Field(default_factory=list)
    moons: list[str] = Field(default_factory=list)
    dawn_spaces: Annotated[int, Field(ge=PHASES)] = PHASES  # one fewer in each phase (P58)
    start: Count = 0
    telescope: Count = 0
    bonus: Count = 0
    tiers: list[int] = Field(default_factory=list)
    lonely: Annotated[int, Field(le=0)] = 0
    constellations: Annotated[dict[Size, int], BeforeValidator(with_numbers)] = Field(
        default_factory=dict
    )
    patterns: list[Count] = Field(default_factory=list)
    shooting_stars_a_point: Size = 1
    common: dict[str, str | dict[str, Any]] = Field(default_factory=dict)
    personal: dict[str, str | dict[str, Any]] = Field(default_factory=dict)
    actions: dict[str, _Face] = Field(default_factory=dict)


def edition_from_data(data: object, id: str) -> Edition:
    """The edition of an edition file's data. Raise EditionError with every problem.

    See `scorer.editions.extended` for `extends: standard`.
    """
    whole = extended(__package__, data)
    whole["actions"] = _all_faces(whole.get("actions"))
    written, problems = validate(_File, whole)
    problems += [(key, "missing") for key in _File.model_fields if key not in whole]
    problems = with_further(problems, _wrong(written))
    common = renumbered("common", COMMON_ENTRIES, written.common, make_common_card, problems)
    personal = renumbered(
        "personal", PERSONAL_ENTRIES, written.personal, make_personal_card, problems
    )
    if problems:
        raise EditionError(problems)
    plain = written.model_dump(exclude={"format", "game"})
    tuples = {key: tuple(own) for key, own in plain.items() if isinstance(own, list)}
    points = written.constellations
    made = {
        "constellations": tuple(points[size] for size in sorted(points)),
        "common": MappingProxyType(common),
        "personal": MappingProxyType(personal),
        "actions": MappingProxyType({card.id: card for card in _action_cards(written)}),
    }
    return Edition(id=id, **{**plain, **tuples, **made})


def _all_faces(written: object) -> object:
    """The faces in the package, updated with those of an edition."""
    faces: dict[str, Any] = _shipped("cards/action")["faces"]
    return {**faces, **written} if isinstance(written, Mapping) else written


def _shipped(name: str) -> Any:
    return read_package_file(__package__, f"{name}.yaml")


def _wrong(written: _File) -> Iterator[Problem]:
    if len(set(written.colours)) != 4 or len(written.colours) != 4:
        yield "colours", "must be four different colours of stars"
    if len(set(written.moons)) != SECTORS or len(written.moons) != SECTORS:
        yield "moons", f"must be {SECTORS} different moons, clockwise around the frame (P1)"
    if len(written.tiers) != TIERS or sorted(written.tiers) != written.tiers:
        yield "tiers", f"must be {TIERS} rising numbers of points"
    sizes = sorted(written.constellations)
    if not sizes or sizes != list(range(2, 2 + len(sizes))):
        yield "constellations", "must have points for 2, 3, 4 ... stars, none left out"
    if not written.patterns:
        yield "patterns", "must be the points for one pattern, two, and so on"
    for id, face in written.actions.items():
        yield from _wrong_face(f"actions.{id}", face, written.moons)


def _wrong_face(key: str, face: _Face, moons: list[str]) -> Iterator[Problem]:
    if not face.choices:
        yield f"{key}.choices", "must have what the card places, a list of choices"
    for moon in face.moons or ():
        if moon not in moons:
            yield f"{key}.moons", f"{moon} is not one of {', '.join(moons)}"
    for place, choice in enumerate(face.choices):
        touched = [star for link in choice.links for stars in link.values() for star in stars]
        if any(star >= choice.stars for star in touched):
            reason = f"a link touches star {max(touched)}, but the choice has {choice.stars} stars"
            yield f"{key}.choices[{place}]", f"{reason}, counted from 0"
        if any(len(stars) > 2 for link in choice.links for stars in link.values()):
            yield f"{key}.choices[{place}]", "a link has two ends: it touches two stars at most"


def _action_cards(written: _File) -> Iterator[ActionCard]:
    """The cards of all moons, moon by moon: `new-B1`, `new-B2`, and so on."""
    for moon in written.moons:
        for id, face in written.actions.items():
            if face.moons is None or moon in face.moons:
                choices = tuple(_choice(choice) for choice in face.choices)
                yield ActionCard(f"{moon}-{id}", face.deck, moon, choices, face.dawn)


def _choice(written: _Choice) -> Choice:
    links = tuple(
        ShownLink(orientation, tuple(stars))
        for link in written.links
        for orientation, stars in link.items()
    )
    return Choice(written.stars, links, written.shooting)
