"""Mistakes of the opening: what is played, by whom, and what the table is set up with."""

from tests.scorer.nebula_record_mistakes.spoiling import MISSING, mistake, setting

for key, values in {
    "format": [2, "1", True, 1.0, None],
    "game": ["polaris", None],
    "mode": ["long", ["full"]],
    "edition": ["mine", "../standard", {}],
    "rules": ["en", 7],
}.items():
    setting("header", key, *values, MISSING)
setting("players", "players", MISSING, [], {}, [{"name": "Ana"}])
setting("players", "players", ["Ana", "Luis"], field="players[0].name")
setting("players", "players.0.name", "", "  ", 7, None, field="players[0].name")


@mistake("players")
def the_same_name_twice(record, _):
    record["players"][1]["name"] = record["players"][0]["name"]
    return 0, "players[1].name"


@mistake("personal")
def somebody_elses_card(record, _):
    record["players"][0]["personal"] = record["players"][1]["dealt"][0]
    return 0, "players[0].personal"


setting(
    "personal",
    "players.0.dealt",
    [],
    ["O1"],
    ["O1", "O1"],
    ["O1", "V1"],
    None,
    field="players[0].dealt",
)
setting("career_cards", "career", [], ["V1", "V2", "V3", "V3"], ["V1", "V2", "V3", "V99"], None)
setting("career_cards", "career", ["V1", "V2", "V3", ["V4"]], ["V1", "V2", "V3", "V4", "V5"])


@mistake("advanced_cards")
def an_advanced_card_in_intro(record, _):
    record["advanced"] = ["B1", "B2", "B3", "B4"]
    return (0, "advanced") if record["mode"] == "intro" else None


setting("bag", "bag.red", 19, 21, 20.0, "20", MISSING, field="bag")
setting("bag", "bag", MISSING, [20] * 7)
setting("setup_clusters", "setup", None, 5, field="setup.clusters")
setting("setup_clusters", "setup.clusters.0.0", "green", None, ["red"], field="setup.clusters")
setting("setup_clusters", "setup.clusters.0", [], field="setup.clusters")
setting("setup_clusters", "setup.clusters", MISSING, {})
setting("setup_hours", "setup.hours", [0, 0, 1], [0, 0], [0, 0, False], MISSING)
setting("setup_boosted", "setup.boosted", None, "green", ["red"], MISSING)
setting("setup_reserves", "setup.reserves", [], [["red"], []], [[], ["green"]], MISSING)


@mistake("bag_draw")
def more_of_a_kind_than_the_bag_holds(record, _):
    if len(record["players"]) < 4:
        return None
    setup = record["setup"]
    setup["clusters"] = [["black"] * 6] * 3
    setup["boosted"] = "black"
    setup["reserves"] = [["black"] * count for count in range(4)]
    return 0, "setup"
