"""The card families: each counts a galaxy at a table by a card's parameters."""

from scorer.families import families_of
from scorer.nebula.families import advanced, career, personal

FAMILIES = families_of(personal, career, advanced)
"""Every family by its name."""

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
