"""The sky of a date, against a published ephemeris; the examples of the rulebook."""

from datetime import date
from pathlib import Path

import pytest
import yaml

from scorer.ptolemaeus.edition import PLANETS, STANDARD, ZODIAC
from scorer.ptolemaeus.ephemeris import UNSURE, comet_of, longitudes, sky_of
from scorer.ptolemaeus.sky import can_pay, is_frugal, offered, payments, pays
from tests.scorer.ptolemaeus_tables import JULY

EPHEMERIS = {
    day: dict(zip(PLANETS, row, strict=True))
    for day, row in yaml.safe_load(
        Path(__file__).with_name("ptolemaeus_ephemeris.yaml").read_text(encoding="utf-8")
    ).items()
}
IN_PLACE = dict.fromkeys(PLANETS, "aquarius") | {"comet": "aries"}


def test_there_are_dates_of_every_age() -> None:
    assert len(EPHEMERIS) == 60 and {day.year // 50 for day in EPHEMERIS} == {*range(36, 42)}


@pytest.mark.parametrize("day", EPHEMERIS)
def test_t11_planets_stand_where_the_ephemeris_has_them(day: date) -> None:
    found, (sky, unsure) = longitudes(day), sky_of(day)
    for planet, right in EPHEMERIS[day].items():
        assert abs((found[planet] - right + 180) % 360 - 180) < UNSURE / 2, planet
        assert sky[planet] == ZODIAC[int(right // 30)] or planet in unsure, planet


def test_t11_a_body_near_a_boundary_is_flagged() -> None:
    near = [
        (day, planet, min(at % 30, 30 - at % 30))
        for day, row in EPHEMERIS.items()
        for planet, at in row.items()
    ]
    for day, planet, away in near:
        if away < UNSURE / 2:
            assert planet in sky_of(day)[1]
        if away > 2 * UNSURE:
            assert planet not in sky_of(day)[1]
    assert sum(away < UNSURE / 2 for _, _, away in near) > 2


@pytest.mark.parametrize("day", [date(1799, 12, 31), date(2051, 1, 1)])
def test_t10_other_centuries_are_refused(day: date) -> None:
    with pytest.raises(ValueError, match="1800 to 2050"):
        sky_of(day)


def test_t13_the_comet_starts_in_aries_on_20_july_1969() -> None:
    sky, unsure = sky_of(date(1969, 7, 20))
    assert sky == JULY and not unsure and comet_of(sky) == "aries"


def test_t13_the_comet_goes_on_where_a_planet_is() -> None:
    assert comet_of({**JULY, "mars": "aries"}) == "leo", "Taurus, Gemini and Cancer are taken"


def test_the_first_turn_of_20_july_1969_offers_what_the_rulebook_says() -> None:
    found = {one for one in offered({**JULY, "comet": "aries"}) if one[0] != "constellation"}
    assert found == {
        ("conjunction", "cancer"),
        ("conjunction", "libra"),
        ("opposition", "aries"),
        ("opposition", "gemini"),
        ("square", "aries"),
        ("square", "cancer"),
    }


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ({"luna": "pisces", "venus": "pisces"}, ("conjunction", "pisces")),
        ({"luna": "virgo", "venus": "pisces"}, ("opposition", "virgo")),
        ({"luna": "cancer", "venus": "scorpius", "sol": "pisces"}, ("trine", "cancer")),
        ({"venus": "pisces", "luna": "gemini"}, ("square", "pisces")),
    ],
)
def test_t33_to_t36_the_rulebooks_configurations(
    where: dict[str, str], named: tuple[str, str]
) -> None:
    assert named in set(offered({**IN_PLACE, **where}))
    assert named not in set(offered({**IN_PLACE, **where, "venus": "aquarius"}))


def test_t37_the_comet_makes_no_conjunction_but_an_opposition() -> None:
    sky = {**dict.fromkeys(PLANETS, "libra"), "comet": "aries"}
    assert ("conjunction", "aries") not in set(offered(sky))
    assert ("opposition", "aries") in set(offered(sky))
    together = {**IN_PLACE, "luna": "leo", "comet": "leo"}
    assert ("conjunction", "leo") not in set(offered(together))


@pytest.mark.parametrize(
    "cards",
    [
        ("sagittarius",),
        ("aries", "leo"),
        ("aries", "aries"),
        ("scorpius", "pisces", "cancer"),
        ("scorpius", "scorpius", "scorpius"),
        ("pisces", "pisces", "cancer"),
    ],
)
def test_t28_to_t30_the_rulebooks_payments_for_sagittarius(cards: tuple[str, ...]) -> None:
    assert pays(STANDARD, "sagittarius", cards) and is_frugal(STANDARD, "sagittarius", cards)
    for number in range(len(cards)):  # T31
        wild = (*cards[:number], "sextant", *cards[number + 1 :])
        assert pays(STANDARD, "sagittarius", wild)
        assert is_frugal(STANDARD, "sagittarius", wild) == (len(cards) == 1)


@pytest.mark.parametrize(
    "cards",
    [
        (),
        ("aries",),
        ("aries", "scorpius"),
        ("scorpius", "pisces"),
        ("aries", "leo", "leo"),
        ("scorpius", "pisces", "taurus"),
        ("sagittarius", "scorpius"),
        ("scorpius", "scorpius", "pisces", "pisces"),
    ],
)
def test_t28_to_t30_what_is_no_payment(cards: tuple[str, ...]) -> None:
    assert not pays(STANDARD, "sagittarius", cards)


def test_t32_a_hand_must_pay_for_every_piece() -> None:
    assert can_pay(STANDARD, ("aries", "libra"), ("aries", "libra"))
    assert not can_pay(STANDARD, ("leo", "leo"), ("leo", "aries"))
    assert can_pay(STANDARD, ("leo", "leo"), ("leo", "aries", "sagittarius"))
    assert can_pay(STANDARD, ("leo", "aries"), ("leo", "sextant"))
    assert not can_pay(STANDARD, ("leo", "cancer"), ("aries", "sagittarius", "pisces"))


def test_payments_out_of_a_hand_are_those_that_pay() -> None:
    hand = ("leo", "aries", "aries", "pisces", "cancer", "scorpius", "sextant")
    found = set(payments(STANDARD, "leo", hand))
    assert {cards for cards in found if is_frugal(STANDARD, "leo", cards)} == {
        ("leo",),
        ("sextant",),
        ("aries", "aries"),
        ("cancer", "scorpius", "pisces"),
    }
    assert ("aries", "leo") in found and ("pisces", "pisces", "cancer") not in found


def test_the_edition_has_the_cards_of_the_rulebook() -> None:
    """T3, T31, T50, T60: 65, 25, 13 and 7 cards; Mars on four events; two objectives share one."""
    assert len(STANDARD.deck) == 65 and len(STANDARD.bonus_deck) == 25
    assert len(STANDARD.events) == 12 and len(STANDARD.secrets) == 7
    moves = [planet for of in STANDARD.events.values() for planet in of]
    assert [moves.count(planet) for planet in PLANETS] == [9, 7, 6, 5, 4, 3, 2]
    assert all(len({*of}) == 3 for of in STANDARD.events.values())
    shared = [
        len({*a} & {*b}) for a in STANDARD.secrets.values() for b in STANDARD.secrets.values()
    ]
    assert sorted(set(shared)) == [1, 3] and shared.count(3) == 7
    assert STANDARD.of_colour["red"] == ("aries", "leo", "sagittarius")
    assert STANDARD.of_colour["blue"] == ("cancer", "scorpius", "pisces")
