"""Rules of games: boards, legality, scores. No module here looks at a picture."""
