"""A board's layout proposed from one photograph of it, empty.

The outline, the circles, the lines between them and the names are each found by a module of their
own; `propose_layout` puts them together and says what it did not find.
"""

from calibration.proposal.match import match_board, occupied_areas
from calibration.proposal.propose import LayoutProposal, Missing, propose_layout
from calibration.proposal.standard import can_propose

__all__ = [
    "LayoutProposal",
    "Missing",
    "can_propose",
    "match_board",
    "occupied_areas",
    "propose_layout",
]
