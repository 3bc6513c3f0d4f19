"""Drawings of Druids: the row of places with gems above and servants below, track and hands.

Cards that a View does not know are drawn as backs in the colour of their owner. What servants could
be is public and stands beside them: those that lie and, with hidden reserves, those in hand.
"""

from __future__ import annotations

from typing import Any

from druidai.render.canvas import CARD, FAINT, INK, LINE, PLAYER_COLOURS, Canvas

Fields = dict[str, Any]

GEM_COLOURS = {
    "a": "#c0392b",
    "b": "#2c5fa8",
    "c": "#2e8b57",
    "d": "#b8860b",
    "e": "#7d3c98",
    "f": "#157a80",
}
NO_COLOUR = "none"


# ---- What the lines say ----


def _headline(fields: Fields) -> str:
    return f"Druids · {_status(fields)}"


def _status(fields: Fields) -> str:
    phase, player = fields["phase"], fields["player"]
    if phase == "over":
        points = [seat["points"] for seat in fields["seats"]]
        winners = [str(i) for i, n in enumerate(points) if n == max(points)]
        won = f"players {', '.join(winners)} share the win"
        if len(winners) == 1:
            won = f"player {winners[0]} has won"
        return f"over {_ending(fields)}, {won}"
    doing = {
        "servants": "picks three servants",
        "claim": "may claim a place",
        "lay": "lays cards",
        "second": f"lays a second card, the first is {_laying(fields)}",
        "discard": "may discard a gem",
        "refill": "refills the hand",
    }[phase]
    return f"player {player} {doing}"


def _laying(fields: Fields) -> str:
    laying: str = fields.get("laying", "?")  # only phase `second` has one
    return "hidden" if laying == "?" else laying


def _ending(fields: Fields) -> str:
    if fields["idle"] == fields["players"]:
        return "as nobody can go on"
    if len(fields["claimed"]) == sum(fields["options"]["places"]) - 1:
        return "with one place left"
    return "by the track"


def _moves(fields: Fields) -> int:
    """How often the lowest card of the track has moved to the top."""
    circles, cards = fields["options"]["circles"], fields["options"]["track"]
    points = [seat["points"] for seat in fields["seats"]]
    moves = 0
    while max(points) > (cards + moves) * circles and min(points) > (moves + 1) * circles:
        moves += 1
    return moves


def _track_ends(fields: Fields) -> tuple[int, int]:
    """The circle below the track and its last circle."""
    circles, cards = fields["options"]["circles"], fields["options"]["track"]
    moves = _moves(fields)
    return moves * circles, (cards + moves) * circles


def _stack_counts(fields: Fields) -> str:
    return " ".join(f"{colour}×{n}" for colour, n in fields["stack"].items()) or "empty"


def _cards(cards: list[str]) -> str:
    return " ".join(cards) or "-"


def _by_colour(gems: list[str]) -> str:
    """Many gems in short: `a:149 c:2`."""
    values = {colour: "".join(gem[1] for gem in gems if gem[0] == colour) for colour in GEM_COLOURS}
    return (
        " ".join(f"{colour}:{of_colour}" for colour, of_colour in values.items() if of_colour)
        or "-"
    )


def _could(servant: Fields) -> str:
    """What a laid servant or those in the hand of a seat could be, `124`."""
    return "".join(card[1] for card in servant.get("could", []))


# ---- Text ----


def text(fields: Fields) -> str:
    """The position line by line: row, track, seats."""
    lines = [_headline(fields), ""]
    lines += ["  slot place  gems laid, by player                    servants, in this order"]
    lines += [_slot_line(slot, place) for slot, place in enumerate(fields["row"])]
    below, end = _track_ends(fields)
    lowest = below + fields["options"]["circles"]
    lines += [
        "",
        f"  stack {_stack_counts(fields)}   claimed {_cards(fields['claimed'])}",
        f"  pile {fields['pile']} gems   out {_by_colour(fields['out'])}",
        f"  track: the lowest card ends at {lowest}, the last at {end}",
        "",
    ]
    for number, seat in enumerate(fields["seats"]):
        lines += _seat_lines(fields, number, seat)
    return "\n".join(lines)


def _slot_line(slot: int, place: Fields) -> str:
    if place["colour"] == NO_COLOUR:
        return f"  @{slot}   -"
    gems = "  ".join(f"P{i} {' '.join(laid)}" for i, laid in enumerate(place["gems"]) if laid)
    servants = "  ".join(
        f"P{servant['owner']} {servant['card']}({_could(servant)})" for servant in place["servants"]
    )
    return f"  @{slot}   {place['colour']}      {gems or '-':<38}  {servants or '-'}"


def _seat_lines(fields: Fields, number: int, seat: Fields) -> list[str]:
    you = "  (you)" if fields.get("seat") == number else ""
    mark = ">" if fields["player"] == number else " "
    could = f" ({_could(seat)})" if _could(seat) else ""
    return [
        f"{mark} P{number}  {seat['points']} points{you}",
        f"      hand: gems {_cards(seat['gems'])}   servants {_cards(seat['servants'])}{could}",
        f"      reserve {_cards(seat['reserve'])}   discards {_cards(seat['discards'])}",
    ]


# ---- SVG ----

COLUMN = 168
MARGIN = 20
WIDTH = 2 * MARGIN + 6 * COLUMN
GEM_W, GEM_H = 32, 30
GEMS_A_LINE = 4
SERVANT_W, SERVANT_H = 46, 52
SERVANTS_A_LINE = 3
PLACE_H = 62
HEAD = 50
TRACK_H = 104
CARD_H = 66  # of a track card; four tokens fit above each other
SEAT_H = 92


def svg(fields: Fields) -> str:
    """The picture as SVG."""
    return picture(fields).render()


def picture(fields: Fields) -> Canvas:
    """The whole table: row, stack, track, hands."""
    above = max(_gem_lines(place) for place in fields["row"]) * (GEM_H + 4)
    below = max(_servant_lines(place) for place in fields["row"]) * (SERVANT_H + 4)
    place_y = HEAD + above + 8
    common_y = place_y + PLACE_H + below + 24
    track_y = common_y + 56
    seats_y = track_y + TRACK_H
    canvas = Canvas(WIDTH, seats_y + SEAT_H * fields["players"] + 8)
    canvas.text(WIDTH / 2, 22, _headline(fields), size=18, weight="bold")
    for slot, place in enumerate(fields["row"]):
        _draw_slot(canvas, MARGIN + slot * COLUMN, place_y, slot, place)
    _draw_common(canvas, common_y, fields)
    _draw_track(canvas, track_y, fields)
    for number, seat in enumerate(fields["seats"]):
        _draw_seat(canvas, seats_y + number * SEAT_H, fields, number, seat)
    return canvas


def _gem_lines(place: Fields) -> int:
    if place["colour"] == NO_COLOUR:
        return 1
    return max(1, sum(-(-len(laid) // GEMS_A_LINE) for laid in place["gems"]))


def _servant_lines(place: Fields) -> int:
    if place["colour"] == NO_COLOUR:
        return 1
    return max(1, -(-len(place["servants"]) // SERVANTS_A_LINE))


def _draw_slot(canvas: Canvas, x: float, y: float, slot: int, place: Fields) -> None:
    width = COLUMN - 12
    if place["colour"] == NO_COLOUR:
        canvas.rect(x + 6, y, width, PLACE_H, stroke=LINE, radius=10, dash="5 5", stroke_width=2)
        canvas.text(x + COLUMN / 2, y + PLACE_H / 2, f"@{slot} empty", size=13, fill=FAINT)
        return
    colour = GEM_COLOURS[place["colour"]]
    canvas.rect(x + 6, y, width, PLACE_H, fill=colour, radius=10)
    canvas.text(x + COLUMN / 2, y + PLACE_H / 2, place["colour"], size=34, fill="#ffffff",
                weight="bold")  # fmt: skip
    canvas.text(x + 26, y + PLACE_H / 2, f"@{slot}", size=16, fill="#ffffff")

    line = 0
    for owner in reversed(range(len(place["gems"]))):  # player 0 uppermost
        laid = place["gems"][owner]
        for i, gem in enumerate(reversed(laid)):
            up, back = divmod(i, GEMS_A_LINE)
            in_line = min(GEMS_A_LINE, len(laid) - up * GEMS_A_LINE)
            column = in_line - 1 - back
            gem_x = x + 18 + column * (GEM_W + 4)
            draw_gem(canvas, gem_x, y - (line + up + 1) * (GEM_H + 4), gem, owner=owner)
        line += -(-len(laid) // GEMS_A_LINE)
    for i, servant in enumerate(place["servants"]):
        down, column = divmod(i, SERVANTS_A_LINE)
        servant_x = x + 11 + column * (SERVANT_W + 4)
        servant_y = y + PLACE_H + 6 + down * (SERVANT_H + 4)
        draw_servant(canvas, servant_x, servant_y, servant["card"], owner=servant["owner"],
                     could=_could(servant))  # fmt: skip


def draw_gem(canvas: Canvas, x: float, y: float, gem: str, *, owner: int | None = None) -> None:
    """A gem card; framed in its owner's colour, or a back in that colour for `?`."""
    frame = LINE if owner is None else PLAYER_COLOURS[owner]
    if gem == "?":
        canvas.rect(x, y, GEM_W, GEM_H, fill=frame, stroke="#ffffff", radius=5)
        canvas.text(x + GEM_W / 2, y + GEM_H / 2, "?", size=15, fill="#ffffff")
        return
    canvas.rect(x, y, GEM_W, GEM_H, fill=CARD, stroke=frame, radius=5, stroke_width=2)
    canvas.text(x + GEM_W / 2, y + GEM_H / 2, gem, size=15, fill=GEM_COLOURS[gem[0]], weight="bold")


def draw_servant(
    canvas: Canvas, x: float, y: float, servant: str, *, owner: int, could: str = ""
) -> None:
    """A servant in its owner's colour, with what it could be; a back for `?`."""
    colour = PLAYER_COLOURS[owner]
    unknown = servant == "?"
    canvas.rect(x, y, SERVANT_W, SERVANT_H, fill=colour if unknown else CARD, stroke=colour,
                radius=6, stroke_width=2)  # fmt: skip
    ink = "#ffffff" if unknown else colour
    canvas.text(x + SERVANT_W / 2, y + (20 if could else SERVANT_H / 2), servant, size=20, fill=ink,
                weight="bold")  # fmt: skip
    if could:
        canvas.text(x + SERVANT_W / 2, y + 41, could, size=10, fill=ink)


def _draw_common(canvas: Canvas, y: float, fields: Fields) -> None:
    """Two lines: stack, claimed places and pile; gems that claims have turned up."""
    x = MARGIN + 6.0
    for label, colours in (
        ("stack", [c for c, n in fields["stack"].items() for _ in range(n)]),
        ("claimed", fields["claimed"]),
    ):
        canvas.text(x, y + 10, label, size=13, fill=FAINT, anchor="start")
        x += 12 + 8 * len(label)
        for colour in colours:
            canvas.rect(x, y, 20, 20, fill=GEM_COLOURS[colour], radius=4)
            canvas.text(x + 10, y + 10, colour, size=12, fill="#ffffff")
            x += 23
        if not colours:
            canvas.text(x, y + 10, "none", size=13, anchor="start")
            x += 34
        x += 26
    canvas.text(WIDTH - MARGIN - 6, y + 10, f"pile {fields['pile']} gems", size=13, fill=FAINT,
                anchor="end")  # fmt: skip

    x = MARGIN + 6.0
    canvas.text(x, y + 34, "out" if fields["out"] else "no gems out", size=13, fill=FAINT,
                anchor="start")  # fmt: skip
    x += 42
    for before, gem in zip([None, *fields["out"]], fields["out"], strict=False):
        x += 5 if before and before[0] != gem[0] else 0
        canvas.text(x, y + 34, gem, size=11, fill=GEM_COLOURS[gem[0]])
        x += 17


def _draw_track(canvas: Canvas, y: float, fields: Fields) -> None:
    """The cards of the track from the lowest to the last, with a token for each player."""
    options = fields["options"]
    circles, cards = options["circles"], options["track"]
    below, end = _track_ends(fields)
    left, right = MARGIN + 46.0, WIDTH - MARGIN - 46.0  # room for tokens off the track
    step = (right - left) / (end - below)
    for card in range(cards):
        x = left + card * circles * step
        canvas.rect(x + 1, y, circles * step - 2, CARD_H, fill="#efe7d3", stroke=LINE, radius=6)
        last = below + (card + 1) * circles
        canvas.text(
            x + circles * step - 4, y + CARD_H + 10, str(last), size=10, fill=FAINT, anchor="end"
        )
    if step >= 9:
        for circle in range(below + 1, end + 1):
            canvas.circle(left + (circle - below - 0.5) * step, y + CARD_H / 2, 3, stroke=FAINT)
    for number, seat in enumerate(fields["seats"]):
        points = seat["points"]
        x = left + (min(points, end + 1) - below - 0.5) * step
        x = min(max(x, left - 20), right + 20)
        token_y = y + CARD_H / 2 + (number - (fields["players"] - 1) / 2) * 15
        canvas.circle(x, token_y, 8, fill=PLAYER_COLOURS[number], stroke="#ffffff")
        canvas.text(x, token_y, str(number), size=10, fill="#ffffff")


def _draw_seat(canvas: Canvas, y: float, fields: Fields, number: int, seat: Fields) -> None:
    colour = PLAYER_COLOURS[number]
    decides = fields["player"] == number
    canvas.rect(MARGIN, y, WIDTH - 2 * MARGIN, SEAT_H - 8, fill="#fbf7ec", stroke=colour, radius=10,
                stroke_width=3 if decides else 1)  # fmt: skip
    you = " (you)" if fields.get("seat") == number else ""
    canvas.text(MARGIN + 14, y + 26, f"Player {number}{you}", size=15, fill=colour, anchor="start",
                weight="bold")  # fmt: skip
    canvas.text(MARGIN + 14, y + 54, f"{seat['points']} points", size=15, anchor="start")

    x = MARGIN + 152.0
    canvas.text(x, y + 12, "hand", size=10, fill=FAINT, anchor="start")
    for gem in seat["gems"]:
        draw_gem(canvas, x, y + 30, gem, owner=number)
        x += GEM_W + 3
    x += 6 if seat["gems"] else 0
    for servant in seat["servants"]:
        draw_servant(canvas, x, y + 20, servant, owner=number, could=_could(seat))
        x += SERVANT_W + 3
    if not seat["gems"] and not seat["servants"]:
        canvas.text(x, y + 45, "empty", size=12, fill=FAINT, anchor="start")

    x = MARGIN + 622.0
    canvas.text(x, y + 12, "reserve", size=10, fill=FAINT, anchor="start")
    for servant in seat["reserve"]:
        unknown = servant == "?"
        canvas.rect(x, y + 28, 28, 34, fill=colour if unknown else CARD, stroke=colour, radius=5)
        canvas.text(x + 14, y + 45, servant, size=13, fill="#ffffff" if unknown else colour)
        x += 31
    _draw_discards(canvas, MARGIN + 822.0, y, seat["discards"])


def _draw_discards(canvas: Canvas, x: float, y: float, discards: list[str]) -> None:
    canvas.text(x, y + 12, f"discards: {len(discards)}", size=10, fill=FAINT, anchor="start")
    known = [gem for gem in discards if gem != "?"]
    for i, gem in enumerate(known[:24]):
        row, column = divmod(i, 8)
        canvas.text(x + 10 + 22 * column, y + 32 + 19 * row, gem, size=12,
                    fill=GEM_COLOURS[gem[0]])  # fmt: skip
    if len(known) > 24:
        canvas.text(x + 178, y + 70, "…", size=12, fill=INK)
