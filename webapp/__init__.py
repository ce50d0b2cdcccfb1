"""The faces to the player: the commands, the pages and the HTTP API. No rule and no pixel here."""
