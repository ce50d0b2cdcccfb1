"""The knowledge of games: boards, rules, scores. Nothing here looks at a picture."""
