"""All blueprints of the pages, and how often some of them may be asked for."""

from webapp.pages import (
    boards,
    drafts,
    games,
    invitations,
    live,
    live_cameras,
    live_events,
    photographs,
    preferences,
    profiles,
    questions,
    score,
    sharing,
)

BLUEPRINTS = (
    games.blueprint,
    questions.blueprint,
    photographs.blueprint,
    boards.blueprint,
    live.blueprint,
    live_cameras.blueprint,
    live_events.blueprint,
    score.blueprint,
    sharing.blueprint,
    preferences.blueprint,
    profiles.blueprint,
    drafts.blueprint,
    invitations.blueprint,
)

RATE_LIMITS = {  # by the endpoint, or by a method and the endpoint
    "invitations.join": "20 per minute",
    "invitations.let_in": "20 per minute",
    "POST drafts.add": "30 per minute",
    "drafts.keep_corners": "60 per minute",
    "drafts.find_again": "30 per minute",
    "drafts.take_trial": "30 per minute",
    "profiles.take_in": "30 per minute",
    "photographs.add": "60 per minute",
    "POST games.new": "12 per minute",
    "live_cameras.frame": "2400 per minute",
    "live_cameras.picture": "600 per minute",
    "sharing.as_picture": "60 per minute",
}
