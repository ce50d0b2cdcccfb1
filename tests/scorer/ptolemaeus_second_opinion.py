"""Ptolemaeus once more, from the rules alone, to check the scorer against.

Everything is plain data: a game file is the dict that its YAML holds, a state of a game is a dict
of dicts, lists, numbers and words, an action is a tuple of words. The rules are named T10 to T80.

An action is one small decision; a turn at a table is several. `who` says whose decision it is (a
seat, or "chance"), `actions` lists all that may be done, `apply` does one and gives a new state.

By the player whose turn it is, nothing being under way:
    ("take", "deck") or ("take", card)    T22, the first of two; the second is one of these too
    ("observe", c)                        T27, then ("pay", ...)
    ("conjunction", c)                    T33, then two of them
    ("opposition", c, d)                  T34, the constellations in the order of T1 ...
    ("trine", c, d, e)                    T35
    ("square", c, d)                      T36
    ("pass",)                             only where none of these can be done
    ("study", c, planet, d, e)            T43: two pieces leave c, one d, one e (d <= e)
    ("asteroids",)                        T49
    ("play", card)                        T50; cards: luna venus mars saturnus mercurius sol iupiter
                                          ignis terrae aeris aquae (nova is never played: T58)
    ("claim",)                            T67
    ("end",)                              the turn is over, with those of T56
In the middle of something:
    ("pay", c, card, ...)                 T28-T31, the cards sorted: a piece of the reserve onto c
    ("lift", c)                           T38, where the reserve is empty: that piece comes from c
    ("third", planet)                     T42, the study that the third piece forces
    ("take", ...)                         T22, T52
    ("replace", seat, c)                  T51, the seat as a word: "0"
    ("back", c)                           T53, by an opponent
    ("discard", card)                     T54, T65, by an opponent or everybody
    ("move", c, d)                        T55
    ("victim", seat)                      T57
    ("sign", c)                           T59
By chance:
    ("turn", card)                        onto the row of six
    ("draw", card)                        from the deck into the hand of who took it
    ("stolen", card)                      T57
    ("bonus", card)                       T46, T49
    ("event", card)                       T65
"""

from itertools import combinations, combinations_with_replacement

RING = [
    *("aries", "taurus", "gemini", "cancer", "leo", "virgo"),
    *("libra", "scorpius", "sagittarius", "capricornus", "aquarius", "pisces"),
]
PLACE = {name: number for number, name in enumerate(RING)}
PLANETS = ["luna", "mercurius", "venus", "sol", "mars", "iupiter", "saturnus"]  # the cycle of S1-S7
SECRETS = {f"S{i + 1}": [PLANETS[i], PLANETS[(i + 1) % 7], PLANETS[(i + 3) % 7]] for i in range(7)}
SIGNS = {"ignis": "aries", "terrae": "taurus", "aeris": "gemini", "aquae": "cancer"}  # T3
CONSTELLATION_CARDS = dict.fromkeys([*RING, "sextant"], 5)
BONUS_CARDS = dict.fromkeys([*PLANETS, *SIGNS], 2) | {"nova": 3}
PLAYER_COLOURS = ["red", "yellow", "blue", "purple"]


def on(constellation, steps):
    """T5: the constellation so many steps clockwise."""
    return RING[(PLACE[constellation] + steps) % 12]


def colour(card):
    """T3, T24: constellations four apart are of one colour; a sextant has none."""
    return None if card == "sextant" else PLACE[card] % 4


# ---------------------------------------------------------------------------------------------
# The score of an end state: a game file


def points(planets, secret, nova, asteroids):
    """T70-T73: the four terms."""
    named = SECRETS[secret] if isinstance(secret, str) else secret
    met = len(set(named) & set(planets))
    return {
        "planets": [0, 1, 2, 4, 5, 6, 8, 10][len(set(planets))],
        "secret": {0: 0, 1: 0, 2: 1, 3: 3}[met],
        "nova": nova,
        "asteroids": asteroids // 3,
    }


def score(game):
    """Lines, totals, places and flags of a game file.

    `flags` are tuples: a kind, then whose (if anybody's) and where (if anywhere).
    """
    lines, totals, rank_keys, flags = {}, {}, {}, set()
    for player in game["players"]:
        name, studied = player["name"], player.get("studied", [])
        pieces, asteroids = player.get("pieces", {}), player.get("asteroids", 0)
        lines[name] = points(studied, player.get("secret") or [], player.get("nova", 0), asteroids)
        totals[name] = sum(lines[name].values())  # T74
        first = game.get("claimed") == name  # T75
        rank_keys[name] = (first, totals[name], len(set(studied)), sum(pieces.values()))  # T76
        # T80
        for constellation, count in pieces.items():
            if count > 2:
                flags.add(("more_than_two", name, constellation))
        if sum(pieces.values()) + len(studied) > 10:
            flags.add(("more_than_ten", name))
        for planet in studied:
            if studied.count(planet) > 1:
                flags.add(("studied_twice", name, planet))
        if asteroids > len(set(studied)):  # a planet is studied once (T40)
            flags.add(("more_asteroids_than_studies", name))
        if totals[name] >= 12 and not game.get("claimed"):
            flags.add(("went_on", name))
    if game.get("comet") and game["comet"]["at"] in game.get("planets", {}).values():
        flags.add(("comet_with_planet", game["comet"]["at"]))
    taken = sum(player.get("asteroids", 0) for player in game["players"])
    if taken + len(game.get("asteroids", [])) > 12:
        flags.add(("more_than_twelve_asteroids",))
    ranking = []  # T76, T77: places, a shared one together
    for key in sorted(set(rank_keys.values()), reverse=True):
        ranking.append([name for name in rank_keys if rank_keys[name] == key])
    return {"lines": lines, "totals": totals, "ranking": ranking, "flags": flags}


def random_end(rng):
    """A game file of an end state: half of them could be, half are spoilt in one to three ways."""
    count = rng.randint(1, 4)
    bodies = {planet: rng.choice(RING) for planet in PLANETS}
    free = [place for place in RING if place not in bodies.values()]
    start = rng.choice(RING)
    game = {"format": 1, "game": "ptolemaeus", "edition": "standard", "planets": bodies}
    game["comet"] = {"at": rng.choice(free), "start": start}
    left = rng.sample(RING, 12)
    secrets = rng.sample(sorted(SECRETS), count)
    novas = 3
    players = []
    for seat in range(count):
        studied = rng.sample(PLANETS, rng.choice([0, 1, 2, 3, 4, 5, 6, 7]))
        pieces = {}
        for _ in range(rng.randint(0, 10 - len(studied))):
            open_places = [place for place in RING if pieces.get(place, 0) < 2]
            place = rng.choice(open_places)
            pieces[place] = pieces.get(place, 0) + 1
        asteroids = rng.randint(0, min(len(studied), len(left)))
        left = left[asteroids:]
        nova = rng.randint(0, novas)
        novas -= nova
        secret = secrets[seat] if rng.random() < 0.7 else SECRETS[secrets[seat]]
        name = ["Ana", "Luis", "Eva", "Jan"][seat]
        player = {"name": name, "colour": PLAYER_COLOURS[seat], "studied": studied}
        player |= {"asteroids": asteroids, "nova": nova, "secret": secret, "pieces": pieces}
        players.append(player)
    game["asteroids"] = sorted(left[: rng.randint(0, len(left))])
    game["players"] = players
    twelve = [name for name, total in score(game)["totals"].items() if total >= 12]
    if twelve:
        game["claimed"] = rng.choice(twelve)
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 3)):
            spoil(game, rng)
    if rng.random() < 0.3:  # equals, for T76 and T77
        one, other = rng.choice(players), rng.choice(players)
        other |= {key: one[key] for key in ("studied", "asteroids", "nova", "secret")}
        if rng.random() < 0.5:
            other["pieces"] = dict(one["pieces"])
    return game


def spoil(game, rng):
    """Make something of T80 so."""
    player = rng.choice(game["players"])
    pieces, studied = player["pieces"], player["studied"]
    way = rng.randrange(7)
    if way == 0:
        pieces[rng.choice(RING)] = rng.randint(3, 5)
    elif way == 1:
        game["comet"]["at"] = rng.choice(list(game["planets"].values()))
    elif way == 2:
        for place in rng.sample(RING, 6):
            pieces[place] = 2
    elif way == 3 and studied:
        studied.append(rng.choice(studied))
    elif way == 4:
        player["asteroids"] = len(set(studied)) + rng.randint(1, 3)
    elif way == 5:
        game["asteroids"] = list(RING)
    else:
        game.pop("claimed", None)


# ---------------------------------------------------------------------------------------------
# The game


def copy(data):
    if isinstance(data, dict):
        return {key: copy(value) for key, value in data.items()}
    if isinstance(data, list):
        return [copy(value) for value in data]
    return data


def add(heap, what, count=1):
    """More (or, with a negative count, fewer) of something in a heap; no zeros stay."""
    heap[what] = heap.get(what, 0) + count
    assert heap[what] >= 0
    if not heap[what]:
        del heap[what]


def comet_from_moon(planets):
    """T13."""
    place = on(planets["luna"], 6)
    while place in planets.values():
        place = on(place, 1)
    return place


def planets_at(state, place):
    return [planet for planet in PLANETS if state["planets"][planet] == place]


def bodies_at(state, place):
    return planets_at(state, place) + ["comet"] * (state["comet"]["at"] == place)


def unstudied_at(state, seat, place):
    studied = state["players"][seat]["studied"]
    return [planet for planet in planets_at(state, place) if planet not in studied]


def totals_of(state, seat):
    """T74 in the middle of a game (T67)."""
    player = state["players"][seat]
    nova, asteroids = player["bonus"].get("nova", 0), player["asteroids"]
    return sum(points(player["studied"], player["secret"], nova, asteroids).values())


# What is offered: T27, T32-T37


def configurations(state):
    """T33-T36 as actions, of the moment, whoever looks."""
    held = {place: bodies_at(state, place) for place in RING}
    found = [("conjunction", place) for place in RING if len(planets_at(state, place)) >= 2]
    for one, other in combinations(RING, 2):
        if held[one] and held[other]:
            apart = PLACE[other] - PLACE[one]
            if apart == 6:
                found.append(("opposition", one, other))
            if apart in (3, 9):
                found.append(("square", one, other))
    for three in combinations(RING, 3):
        if len({colour(place) for place in three}) == 1 and all(held[place] for place in three):
            found.append(("trine", *three))
    return found


def places_of(action):
    """Where an observation puts its pieces, one entry a piece."""
    return [action[1], action[1]] if action[0] == "conjunction" else list(action[1:])


# Paying: T28-T31


def pays(cards, place):
    """Whether these cards are one payment for a constellation."""
    others = [card for card in cards if card != "sextant"]
    if len(cards) == 1:
        return all(card == place for card in others)
    colours = {colour(card) for card in others}
    if len(cards) == 2:
        return colours <= {colour(place)}
    return len(cards) == 3 and len(colours) <= 1 and colour(place) not in colours


def payments(hand, place):
    found = []
    for size in (1, 2, 3):
        for cards in combinations_with_replacement(sorted(hand), size):
            if all(cards.count(card) <= hand[card] for card in cards) and pays(cards, place):
                found.append(cards)
    return found


def without(hand, cards):
    rest = dict(hand)
    for card in cards:
        add(rest, card, -1)
    return rest


def payable(hand, places):
    if not places:
        return True
    return any(payable(without(hand, cards), places[1:]) for cards in payments(hand, places[0]))


# Placing: T38, T39, T42


def may_land(state, seat, place):
    """T39: whether a player's piece may come here."""
    here = state["players"][seat]["pieces"].get(place, 0)
    return here < 2 or bool(unstudied_at(state, seat, place))


def land(state, seat, place):
    """A piece in the air comes down; the third is to be followed by a study (T42)."""
    assert may_land(state, seat, place)
    player = state["players"][seat]
    add(player["pieces"], place)
    if player["pieces"][place] == 3:
        state["todo"].append({"what": "third", "who": seat, "at": place})


def study(state, seat, place, planet):
    """T40, T46: the piece is on the planet; its asteroid, and a bonus card to draw."""
    player = state["players"][seat]
    assert planet not in player["studied"]
    player["studied"].append(planet)
    if place in state["asteroids"]:
        state["asteroids"].remove(place)
        player["asteroids"] += 1
    if state["bonus"]:
        state["todo"].append({"what": "bonus", "who": "chance", "to": seat})


def study_with_third(state, seat, place, planet):
    """T42."""
    player = state["players"][seat]
    add(player["pieces"], place, -3)
    player["reserve"] += 2
    study(state, seat, place, planet)


def liftable(state, seat, observed):
    """T38: where the pieces of an observation come from, the reserve being empty."""
    lying = state["players"][seat]["pieces"]
    return [place for place in RING if place in lying and place not in observed]


def placeable(state, seat, left, observed):
    """T32: whether all of these can still be placed, in some order and from somewhere."""
    if not left:
        return True
    for place in set(left):
        if not may_land(state, seat, place):
            continue
        rest = list(left)
        rest.remove(place)
        if state["players"][seat]["reserve"]:
            sources = ["reserve"]
        else:
            sources = liftable(state, seat, observed)
        for source in sources:
            if placeable_after(state, seat, place, source, rest, observed):
                return True
    return False


def placeable_after(state, seat, place, source, rest, observed):
    """The same, if a piece is put from somewhere onto a place."""
    state = copy(state)
    if source == "reserve":
        state["players"][seat]["reserve"] -= 1
    else:
        add(state["players"][seat]["pieces"], source, -1)
    land(state, seat, place)
    if state["players"][seat]["pieces"][place] < 3:
        return placeable(state, seat, rest, observed)
    for planet in unstudied_at(state, seat, place):
        studied = copy(state)
        study_with_third(studied, seat, place, planet)
        if placeable(studied, seat, rest, observed):
            return True
    return False


def under_way(state):
    """The places that the observation under way has still to reach, and all of its places."""
    for todo in state["todo"]:
        if todo["what"] == "pay":
            return todo["left"], todo["places"]
    return [], []


def observable(state, seat):
    """T27 and T32: all observations that can be paid and placed."""
    offers = [("observe", place) for place in RING if bodies_at(state, place)]
    found = []
    for offer in offers + configurations(state):
        places = places_of(offer)
        if payable(state["players"][seat]["hand"], places) and placeable(
            state, seat, places, places
        ):
            found.append(offer)
    return found


# Whose decision, and what may be done


def opponents(state, seat):
    """Clockwise from the player."""
    count = len(state["players"])
    return [(seat + step) % count for step in range(1, count)]


def who(state):
    """A seat, "chance", or None when the game is over."""
    if state["over"]:
        return None
    if row_is_short(state):
        return "chance"
    return state["todo"][-1]["who"] if state["todo"] else state["player"]


def row_is_short(state):
    return sum(state["row"].values()) < 6 and bool(state["deck"] or state["discard"])


def legal(state, action):
    return action in actions(state)


def actions(state):
    if state["over"]:
        return []
    if row_is_short(state):
        return [("turn", card) for card in state["deck"]]
    if state["todo"]:
        return steps(state, state["todo"][-1])
    return free_actions(state)


def free_actions(state):
    """T21, T43, T49, T50, T67: nothing is under way."""
    seat = state["player"]
    player = state["players"][seat]
    found = []
    if state["left"]:  # T56 gives more than one
        found += takes(state, alone=True)
        found += observable(state, seat)
        if not found:
            found.append(("pass",))
    else:
        found.append(("end",))
    if state["acted"]:
        found += studies(state, seat)
    if player["asteroids"] >= 2 and state["bonus"]:
        found.append(("asteroids",))
    found += [("play", card) for card in sorted(player["bonus"]) if does_anything(state, card)]
    if totals_of(state, seat) >= 12:
        found.append(("claim",))
    return found


def takes(state, alone):
    """T22, T23: the ways to take a card; a sextant of the row only where it may be taken."""
    row = [card for card in sorted(state["row"]) if alone or card != "sextant"]
    deck = [("take", "deck")] * bool(state["deck"] or state["discard"])
    return deck + [("take", card) for card in row]


def studies(state, seat):
    """T43."""
    pieces = state["players"][seat]["pieces"]
    found = []
    for place in RING:
        if pieces.get(place, 0) >= 2:
            others = dict(pieces)
            add(others, place, -2)
            for pair in combinations_with_replacement(sorted(others), 2):
                if all(pair.count(other) <= others[other] for other in pair):
                    for planet in unstudied_at(state, seat, place):
                        found.append(("study", place, planet, *pair))
    return found


def steps(state, todo):
    what, seat = todo["what"], todo["who"]
    if what == "draw":
        return [("draw", card) for card in state["deck"]]
    if what == "bonus":
        return [("bonus", card) for card in state["bonus"]]
    if what == "event":
        return [("event", card) for card in state["events"]]
    if what == "stolen":
        return [("stolen", card) for card in state["players"][todo["from"]]["hand"]]
    player = state["players"][seat]
    if what == "take":
        return takes(state, todo["alone"])
    if what == "pay":
        found = []
        for place in sorted(set(todo["left"]), key=RING.index):
            rest = list(todo["left"])
            rest.remove(place)
            sources = ["reserve"] if player["reserve"] else liftable(state, seat, todo["places"])
            if may_land(state, seat, place) and any(
                placeable_after(state, seat, place, source, rest, todo["places"])
                for source in sources
            ):
                for cards in payments(player["hand"], place):
                    if payable(without(player["hand"], cards), rest):
                        found.append(("pay", place, *cards))
        return found
    if what == "lift":
        left, observed = under_way(state)
        return [
            ("lift", source)
            for source in liftable(state, seat, todo["places"])
            if placeable_after(state, seat, todo["at"], source, left, observed)
        ]
    if what == "third":
        found = []
        left, observed = under_way(state)
        for planet in unstudied_at(state, seat, todo["at"]):
            studied = copy(state)
            study_with_third(studied, seat, todo["at"], planet)
            if placeable(studied, seat, left, observed):
                found.append(("third", planet))
        return found
    if what == "replace":  # T51
        return [
            ("replace", str(other), place)
            for other in opponents(state, seat)
            for place in RING
            if place in state["players"][other]["pieces"] and player["reserve"]
            if may_land(state, seat, place)
        ]
    if what == "back":  # T53
        return [("back", place) for place in RING if place in player["pieces"]]
    if what == "discard":  # T54, T65
        return [("discard", card) for card in sorted(player["hand"])]
    if what == "move":  # T55; a piece that was moved is not moved again
        return [
            ("move", source, place)
            for source in RING
            if player["pieces"].get(source, 0) > todo["moved"].count(source)
            for place in RING
            if place != source and may_land(state, seat, place)
        ]
    if what == "victim":  # T57
        others = opponents(state, seat)
        return [("victim", str(other)) for other in others if state["players"][other]["hand"]]
    assert what == "sign"  # T59
    return [
        ("sign", place)
        for place in RING
        if colour(place) == colour(SIGNS[todo["sign"]]) and player["reserve"]
        if may_land(state, seat, place)
    ]


# Doing it


def apply(state, action):
    """The state after a legal action."""
    assert legal(state, action), action
    state = copy(state)
    kind, *words = action
    if kind == "turn":
        add(state["deck"], words[0], -1)
        add(state["row"], words[0])
    elif state["todo"]:
        todo = state["todo"][-1]
        state["todo"].pop()
        do_step(state, todo, kind, words)
    else:
        do_free(state, kind, words)
    return settled(state)


def do_step(state, todo, kind, words):
    seat = todo["who"]
    stack = state["todo"]
    if kind == "draw":
        add(state["deck"], words[0], -1)
        add(state["players"][todo["to"]]["hand"], words[0])
        return
    if kind == "bonus":
        add(state["bonus"], words[0], -1)
        add(state["players"][todo["to"]]["bonus"], words[0])
        return
    if kind == "stolen":
        add(state["players"][todo["from"]]["hand"], words[0], -1)
        add(state["players"][todo["to"]]["hand"], words[0])
        return
    if kind == "event":
        turn_event(state, words[0])
        return
    player = state["players"][seat]
    if kind == "take":
        left = todo["left"] - 1
        if words[0] == "sextant" and not todo["venus"]:
            left = 0  # T23
        # Venus (T52) lets sextants be taken, two as well; action A only as the first card.
        if left:
            stack.append(todo | {"left": left, "alone": todo["venus"]})
        if words[0] == "deck":
            stack.append({"what": "draw", "who": "chance", "to": seat})
        else:
            add(state["row"], words[0], -1)
            add(player["hand"], words[0])
    elif kind == "pay":
        for card in words[1:]:
            add(player["hand"], card, -1)
            add(state["discard"], card)
        left = list(todo["left"])
        left.remove(words[0])
        if left:
            stack.append(todo | {"left": left})
        if player["reserve"]:
            player["reserve"] -= 1
            land(state, seat, words[0])
        else:
            lift = {"what": "lift", "who": seat, "at": words[0], "places": todo["places"]}
            stack.append(lift)
    elif kind == "lift":
        add(player["pieces"], words[0], -1)
        land(state, seat, todo["at"])
    elif kind == "third":
        study_with_third(state, seat, todo["at"], words[0])
    elif kind == "replace":
        other = state["players"][int(words[0])]
        add(other["pieces"], words[1], -1)
        other["reserve"] += 1
        stack.append(todo | {"left": todo["left"] - 1})
        player["reserve"] -= 1
        land(state, seat, words[1])
    elif kind == "back":
        add(player["pieces"], words[0], -1)
        player["reserve"] += 1
        stack.append(todo | {"left": todo["left"] - 1})
    elif kind == "discard":
        add(player["hand"], words[0], -1)
        add(state["discard"], words[0])
        stack.append(todo | {"left": todo["left"] - 1})
    elif kind == "move":
        # A third piece leaves the sky at once, and so do those beside it.
        third = player["pieces"].get(words[1], 0) == 2
        moved = [] if third else [words[1]]
        stack.append(todo | {"left": todo["left"] - 1, "moved": todo["moved"] + moved})
        add(player["pieces"], words[0], -1)
        land(state, seat, words[1])
    elif kind == "victim":
        stack.append(todo | {"left": todo["left"] - 1})
        stack.append({"what": "stolen", "who": "chance", "to": seat, "from": int(words[0])})
    else:
        assert kind == "sign"
        player["reserve"] -= 1
        land(state, seat, words[0])


def do_free(state, kind, words):
    seat = state["player"]
    player = state["players"][seat]
    if kind in ("take", "pass", "observe", "conjunction", "opposition", "trine", "square"):
        state["acted"] = True
        state["left"] -= 1
    if kind == "take":
        todo = {"what": "take", "who": seat, "left": 2, "alone": True, "venus": False}
        do_step(state, todo, kind, words)
    elif kind in ("observe", "conjunction", "opposition", "trine", "square"):
        places = places_of((kind, *words))
        todo = {"what": "pay", "who": seat, "left": places, "places": places}
        state["todo"].append(todo)
    elif kind == "study":
        place, planet, *others = words
        for leaving in (place, place, *others):
            add(player["pieces"], leaving, -1)
        player["reserve"] += 3
        study(state, seat, place, planet)
    elif kind == "asteroids":
        player["asteroids"] -= 2
        state["todo"].append({"what": "bonus", "who": "chance", "to": seat})
    elif kind == "play":
        add(player["bonus"], words[0], -1)
        play(state, seat, words[0])
    elif kind == "claim":
        state |= {"over": "claim", "claimed": player["name"]}
    elif kind == "end":
        end_turn(state)


def play(state, seat, card):
    """T51-T59; two where the planet of the card's name is studied."""
    count = 2 if card in state["players"][seat]["studied"] else 1
    todo = {"who": seat, "left": count}
    if card == "luna":
        state["todo"].append({"what": "replace", **todo})
    elif card == "venus":
        state["todo"].append({"what": "take", **todo, "alone": True, "venus": True})
    elif card in ("mars", "saturnus"):
        what = {"mars": "back", "saturnus": "discard"}[card]
        for other in reversed(opponents(state, seat)):
            state["todo"].append({"what": what, "who": other, "left": count})
    elif card == "mercurius":
        state["todo"].append({"what": "move", **todo, "moved": []})
    elif card == "sol":
        state["left"] += count
    elif card == "iupiter":
        state["todo"].append({"what": "victim", **todo})
    else:
        state["todo"].append({"what": "sign", "who": seat, "left": 1, "sign": card})


def does_anything(state, card):
    """Whether a card can be played: some step follows, or turns; Nova Constellatio is kept."""
    if card in ("sol", "nova"):
        return card == "sol"
    state = copy(state)
    play(state, state["player"], card)
    return any(steps(state, todo) for todo in state["todo"])


def settled(state):
    """Everything that happens without a decision: T24, T25, and things under way that are done."""
    while not state["over"]:
        drawing = state["todo"] and state["todo"][-1]["what"] == "draw"
        if not state["deck"] and state["discard"] and (drawing or row_is_short(state)):
            state["deck"], state["discard"] = state["discard"], {}  # T25
        elif row_is_short(state):
            break
        elif must_sweep(state):
            for card, count in state["row"].items():
                add(state["discard"], card, count)
            state["row"] = {}
        elif state["todo"] and (
            state["todo"][-1].get("left") == 0 or not steps(state, state["todo"][-1])
        ):
            state["todo"].pop()  # who has less than asked for gives what there is
        else:
            break
    return state


def must_sweep(state):
    """T24, unless no other six can be had."""
    if sum(state["row"].values()) < 6:
        return False
    outside = {}
    for heap in (state["row"], state["deck"], state["discard"]):
        for card, count in heap.items():
            add(outside, card, count)
    for hue in range(4):
        of_hue = sum(n for card, n in state["row"].items() if colour(card) == hue)
        others = sum(n for card, n in outside.items() if colour(card) != hue)
        if of_hue >= 5 and others > 1:
            return True
    return False


def end_turn(state):
    """T20."""
    state |= {"acted": False, "left": 1}
    state["player"] = (state["player"] + 1) % len(state["players"])
    if state["player"] == state["first"]:
        state["turn"] += 1
    if state["turn"] == 4:
        end_round(state)


def end_round(state):
    for planet in state["cards"][state["event"]]:  # T60
        state["planets"][planet] = on(state["planets"][planet], 1)
    comet = state["comet"]
    while True:  # T62
        comet["at"] = on(comet["at"], 1)
        comet["gone"] += 1
        if not planets_at(state, comet["at"]):
            break
    go_home(state, [comet["at"]])  # T64, done at the end too (T68)
    state["event"] = ""
    if comet["gone"] >= 12:  # T63
        state["over"] = "comet"
        return
    state["todo"].append({"what": "event", "who": "chance"})


def go_home(state, places):
    for player in state["players"]:
        for place in places:
            player["reserve"] += player["pieces"].pop(place, 0)


def turn_event(state, card):
    """T65, T66."""
    add(state["events"], card, -1)
    if card == "eclipsis":
        go_home(state, [place for place in RING if not planets_at(state, place)])
        state["todo"].append({"what": "event", "who": "chance"})
        for seat in [*reversed(opponents(state, state["first"])), state["first"]]:
            state["todo"].append({"what": "discard", "who": seat, "left": 2})
        return
    state["event"] = card
    state["first"] = (state["first"] + 1) % len(state["players"])
    state |= {"player": state["first"], "turn": 1}


# Playing at random


def game_file(state):
    """A state, ended or not, as a game file."""
    game = {"format": 1, "game": "ptolemaeus", "edition": "standard"}
    comet = {key: state["comet"][key] for key in ("at", "start")}
    game |= {"planets": dict(state["planets"]), "comet": comet}
    game["asteroids"] = list(state["asteroids"])
    if state["claimed"]:
        game["claimed"] = state["claimed"]
    game["players"] = [
        {
            **{key: player[key] for key in ("name", "colour", "secret", "asteroids")},
            "studied": list(player["studied"]),
            "nova": player["bonus"].get("nova", 0),
            "pieces": dict(player["pieces"]),
        }
        for player in state["players"]
    ]
    return game


LIKING = {"take": 3, "play": 3, "end": 3, "claim": 1, "asteroids": 1, "pass": 1}


def choose(state, rng):
    """An action at random: first a kind, as a player would like them, then one of that kind."""
    offered = actions(state)
    kinds = sorted({action[0] for action in offered})
    kind = rng.choices(kinds, [LIKING.get(kind, 12) for kind in kinds])[0]
    return rng.choice([action for action in offered if action[0] == kind])


def enrich(state, rng):
    """The same table as if much had been played: what random play comes to too seldom."""
    state = copy(state)
    for player in state["players"]:
        player["studied"] = rng.sample(PLANETS, rng.randint(0, 6))
        player["reserve"] -= len(player["studied"])
        for _ in range(rng.randint(0, player["reserve"])):
            place = rng.choice([place for place in RING if player["pieces"].get(place, 0) < 2])
            add(player["pieces"], place)
            player["reserve"] -= 1
        for _ in range(rng.randint(0, min(len(player["studied"]), len(state["asteroids"])))):
            state["asteroids"].remove(rng.choice(state["asteroids"]))
            player["asteroids"] += 1
        for _ in range(rng.randint(0, 5)):
            card = rng.choice([c for c, count in state["bonus"].items() for _ in range(count)])
            add(state["bonus"], card, -1)
            add(player["bonus"], card)
        for _ in range(rng.choice([0, 3, 6, 9])):
            card = rng.choice([c for c, count in state["deck"].items() for _ in range(count)])
            add(state["deck"], card, -1)
            add(player["hand"], card)
    return settled(state)
