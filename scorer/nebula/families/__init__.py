"""The card families: each a small factory that turns a card's parameters into its check."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scorer.nebula.families import advanced, career, personal
from scorer.nebula.result import Check

FAMILIES: Mapping[str, Callable[..., Check]] = MappingProxyType(
    {
        "colour_on_indirect_links": personal.colour_on_indirect_links,
        "colour_on_highlighted": personal.colour_on_highlighted,
        "stars_of_colour": personal.stars_of_colour,
        "most_black": personal.most_black,
        "few_empty": personal.few_empty,
        "constellation_in_colours": career.constellation_in_colours,
        "orbit_in_colours": career.orbit_in_colours,
        "each_colour": career.each_colour,
        "orbit_unrepeated": career.orbit_unrepeated,
        "colour_in_constellations": career.colour_in_constellations,
        "adjacent_orbits_full": career.adjacent_orbits_full,
        "opposite_constellations_full": career.opposite_constellations_full,
        "adjacent_constellations_full": career.adjacent_constellations_full,
        "indirect_ends_occupied": career.indirect_ends_occupied,
        "beside_highlighted_occupied": career.beside_highlighted_occupied,
        "linked_pairs": advanced.linked_pairs,
        "highlighted_alike": advanced.highlighted_alike,
        "career_markers": advanced.career_markers,
        "orbits_with_colour": advanced.orbits_with_colour,
        "highlighted_surrounded": advanced.highlighted_surrounded,
        "colour_beside_highlighted": advanced.colour_beside_highlighted,
    }
)

# Career families that ask for occupied spaces only: once fulfilled, no replaced star can undo them.
LASTING = frozenset(
    {
        "adjacent_orbits_full",
        "opposite_constellations_full",
        "adjacent_constellations_full",
        "indirect_ends_occupied",
        "beside_highlighted_occupied",
    }
)
