"""A referee of records in another style: plain lists and dicts, nothing of the scorer's.

`referee` replays one record as a person with a pencil would and asserts on whatever is not as the
rules have it. It says nothing of which check failed; the cards and the board are the second
opinion's.
"""

from collections import Counter

from tests.scorer.nebula_second_opinion import NEAR, SIGNS, second_opinion

HUES = ["red", "purple", "yellow", "white", "blue", "orange"]
TOKENS = [HUES, ["aries", "taurus", "gemini", "cancer"], ["I", "II", "III", "IV"]]
BLACKS = {2: 30, 3: 25, 4: 20}
MARKERS = {2: 5, 3: 6, 4: 8}


def referee(record: dict) -> None:
    count = len(record["players"])
    full, czech = record["mode"] == "full", record["rules"] == "cs"
    bag = Counter(dict.fromkeys(HUES, 20) | {"black": BLACKS[count]})
    box = Counter(black=30 - BLACKS[count])
    assert Counter(record["bag"]) == bag

    def draw(star):
        assert bag[star] > 0
        bag[star] -= 1
        return star

    setup = record["setup"]
    rings = [[draw(star) for star in ring] for ring in setup["clusters"]]
    boosted = draw(setup["boosted"])
    hands = [Counter(map(draw, hand)) for hand in setup["reserves"]]
    assert [sum(hand.values()) for hand in hands] == list(range(count))
    skies = [{} for _ in hands]
    blacks = [0] * count
    clock = [0, 0, 0]
    indicator = 0
    piles = [[list(names), *([] for _ in range(8))] for names in TOKENS]
    claimed = {card: [] for card in record["career"]}
    noticed, reasons = 0, []

    for number, turn in enumerate(record["turns"], start=1):
        assert not noticed or (noticed - 1) // count == (number - 1) // count
        who = turn["player"]
        assert who == (number - 1) % count
        hand, sky = hands[who], skies[who]
        collect = turn["collect"]
        if collect["by"] == "time":
            assert sum(abs(move) for move in collect["moves"]) == 5
            for i, (move, star) in enumerate(zip(collect["moves"], collect["took"], strict=True)):
                clock[i] = (clock[i] + move + 12) % 6
                assert rings[i][clock[i]] == star
                rings[i][clock[i]] = None
                hand[star] += star is not None
        else:
            hand[collect["returned"]] -= 1
            box[collect["returned"]] += 1
            assert len(collect["drew"]) == min(5, sum(bag.values()))
            thrown = Counter(map(draw, collect["drew"]))
            thrown.subtract(collect["kept"])
            assert min(thrown.values(), default=0) >= 0
            assert len(collect["kept"]) == min(2, len(collect["drew"]))
            hand.update(collect["kept"])
            box.update(thrown)
        assert min(hand.values(), default=0) >= 0

        governing = boosted
        laid = [entry["star"] for entry in turn["placed"]]
        assert len(set(laid)) == len(laid) <= 2 + (governing in laid)
        for entry in turn["placed"]:
            star = entry["star"]
            hand[star] -= 1
            assert hand[star] >= 0
            if star != "black":
                assert entry.get("slot") is None
                space = entry["space"]
                old = sky.pop(space, None)
                assert entry.get("replaced") == old
                box[old] += old is not None
                assert (NEAR[space] & set(sky)) if sky else space == "core"
                assert star not in [sky.get(near) for near in NEAR[space]]
                sky[space] = star
                continue
            blacks[who] += 1
            assert entry["slot"] == blacks[who] <= 10
            stood, indicator = indicator, min(indicator + 1, 18)
            assert entry["indicator"] == indicator
            change = entry.get("boosted")
            assert bool(change) == (stood != indicator and indicator % 6 == 0)
            if change:
                others = [kind for kind in bag if kind != boosted and bag[kind]]
                source, new = change["from"], change["new"]
                if source == "bag":
                    assert others
                    assert change["drew"] == [*change["back"], new] and new != boosted
                    assert set(change["back"]) <= {boosted} and (not change["back"] or bag[boosted])
                    draw(new)
                elif source == "reserve":
                    assert czech and not change["drew"]
                    hand[new] -= 1
                    assert hand[new] >= 0
                else:
                    assert not others and new == boosted
                if source != "none":
                    box[boosted] += 1
                    boosted = new
            value = entry.get("value")
            assert bool(value) == (full and not (czech and stood == 18))
            if value:
                track = next(track for track in piles if any(value["token"] in p for p in track))
                at = next(i for i, pile in enumerate(track) if value["token"] in pile)
                track[at].remove(value["token"])
                assert value["square"] == at + 1 and value["on"] == track[at + 1]
                track[at + 1].append(value["token"])

        opinion = second_opinion(sky, blacks[who], [], 0)
        for claim in turn["claims"]:
            owners = claimed[claim["card"]]
            assert opinion[claim["card"]] and who not in owners
            assert claim["place"] == ("later" if owners else "first")
            owners.append(who)
        assert not [card for card in claimed if opinion[card] and who not in claimed[card]]

        due = [
            (i, j)
            for i, ring in enumerate(rings)
            if sum(map(bool, ring)) <= (2 if count == 2 else 1)
            for j, star in enumerate(ring)
            if not star
        ][: sum(bag.values())]
        assert [(entry["cluster"], entry["space"]) for entry in turn["refill"]] == due
        for (i, j), entry in zip(due, turn["refill"], strict=True):
            rings[i][j] = draw(entry["star"])

        after = turn["after"]
        assert (after["hours"], after["boosted"]) == (clock, boosted)
        assert Counter(after["bag"]) == bag and Counter(after["box"]) == box
        everywhere = Counter(boosted=0, black=sum(blacks))
        for part in (bag, box, *hands, *map(Counter, (s.values() for s in skies))):
            everywhere.update(part)
        everywhere.update([boosted, *(star for ring in rings for star in ring if star)])
        assert [everywhere[hue] for hue in HUES] == [20] * 6 and everywhere["black"] == 30
        if not noticed:
            complete = max(sum(set(own) <= set(s) for own in SIGNS.values()) for s in skies)
            tests = {
                "black_indicator": indicator == 18,
                "constellations": complete >= 3,
                "bag_empty": not sum(bag.values()),
                "career_markers": sum(map(len, claimed.values())) >= MARKERS[count],
            }
            reasons = [name for name, holds in tests.items() if holds]
            noticed = number if reasons else 0

    end = record["end"]
    assert noticed and len(record["turns"]) % count == 0
    assert (end["noticed"], end["reasons"]) == (noticed, reasons)
    assert end["rounds"] * count == len(record["turns"])
    if full:
        ahead = [[token for pile in track[:0:-1] for token in pile[::-1]] for track in piles]
        assert list(end["values"].values()) == ahead
    for player, sky, black in zip(record["final"]["players"], skies, blacks, strict=True):
        assert player["black"] == black
        assert player["total"] == sum(line["points"] for line in player["lines"])
        signs = [line for line in player["lines"] if line["category"] == "constellation"]
        assert len(signs) == sum(set(own) <= set(sky) for own in SIGNS.values())
