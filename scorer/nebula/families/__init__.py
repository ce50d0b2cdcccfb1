"""The card families, each of which checks a galaxy at a table by a card's parameters."""

from scorer.families import families_of
from scorer.nebula.families import advanced, career, personal

FAMILIES = families_of(personal, career, advanced)
"""All families by name."""

# Career families that only need occupied spaces, so that replacing a star cannot undo them.
LASTING = frozenset(
    {
        "adjacent_orbits_full",
        "opposite_constellations_full",
        "adjacent_constellations_full",
        "indirect_ends_occupied",
        "beside_highlighted_occupied",
    }
)
