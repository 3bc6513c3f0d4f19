"""Drawings of the Torn Map: the table with its cells' names at the edges, piles, players, lots.

tile    S4c     ship, item i4, with a chest
mark    !1      flag of player 1
        +       moved in this turn, and not to be moved again in it
        *       was enclosed and brings nothing more
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from druidai.render.canvas import BACK, CARD, FAINT, INK, LINE, PLAYER_COLOURS, Canvas

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Fields = dict[str, Any]
Cell = tuple[int, int]

TERRAINS = {"S": "ship", "I": "island", "H": "shark", "L": "lighthouse"}
ITEMS = (
    "map sketches",
    "translating water",
    "eyeglass",
    "seeing box",
    "hat",
    "iron dropper",
    "news bell",
    "sound catcher",
)


def _headline(fields: Fields) -> str:
    return f"The Torn Map · {_status(fields)}"


def _status(fields: Fields) -> str:
    phase, player, active = fields["phase"], fields["player"], fields["active"]
    if phase == "over":
        return f"over after {fields['turns']} turns: {_outcome(fields)}"
    turn = f"turn {fields['turns'] + 1} · player {player}"
    if phase == "move":
        what = f"{TERRAINS[fields['terrain']]} to {fields['cell']} with {fields['using']}"
        return f"{turn} chooses the card to move: {what}"
    if phase == "answer":
        return f"{turn} answers the event of {fields['event']} from player {active}"
    return f"{turn} is on turn"


def _outcome(fields: Fields) -> str:
    sides = fields["sides"]
    seats = [(fields["active"] + i) % len(sides) for i in range(len(sides))]
    for seat in seats:
        if not sides[seat]["secret"] and not sides[seat]["down"]:
            return f"player {seat} has all items"
    ranks = [(len(side["up"]), side["bazaar"]) for side in sides]
    best = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    if len(best) == 1:
        return f"player {best[0]} wins at the turn cap"
    return "players " + ", ".join(map(str, best)) + " share the win at the turn cap"


# ---- What the fields say ----


def _cell(name: str) -> Cell:
    x, y = name.split(",")
    return int(x), int(y)


def _spent(fields: Fields) -> set[Cell]:
    """Cards that were enclosed once: the freed ones, and those enclosed now."""
    table = {_cell(name) for name in fields["table"]}
    enclosed = {
        (x, y) for x, y in table if {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} <= table
    }
    return enclosed | {_cell(name) for name in fields["freed"]}


def _below(fields: Fields, terrain: str) -> dict[str, int]:
    """What lies below the top card of a terrain's pile."""
    return {card: n for card, n in fields["unseen"]["map"].items() if card[0] == terrain}


def _in_pile(fields: Fields, what: str) -> int:
    """How many cards a face-down pile has: what is unseen less what hidden places hold."""
    unseen, sides = fields["unseen"], fields["sides"]
    if what == "portholes":
        lot = fields["renewals"]
        hidden = sum(
            pair == ("?", lot)
            for side in sides
            for pair in zip(side["hand"], side["lots"], strict=True)
        )
        cards: Fields = unseen["portholes"].get(str(lot), {})
    else:
        cards, place = unseen[what], {"items": "secret", "treasures": "treasures"}[what]
        hidden = sum(side[place].count("?") for side in sides)
    return sum(cards.values()) - hidden


def _list(counts: dict[str, int]) -> list[str]:
    return [card if n == 1 else f"{card}×{n}" for card, n in counts.items()]


def _unseen_portholes(fields: Fields) -> list[tuple[str, list[str]]]:
    return [(lot, _list(cards)) for lot, cards in fields["unseen"]["portholes"].items()]


def _name(fields: Fields, seat: int) -> str:
    you = " (you)" if fields.get("seat") == seat else ""
    return f"Player {seat}{you}"


# ---- Text ----


def text(fields: Fields) -> str:
    """The position in lines of at most 104 columns (80 unless the table is very wide)."""
    lines = [_headline(fields), "", *_table_lines(fields), ""]
    lines += _pile_lines(fields)
    for seat, side in enumerate(fields["sides"]):
        lines += ["", *_side_lines(fields, seat, side)]
    return "\n".join(lines)


def _table_lines(fields: Fields) -> list[str]:
    cards = {_cell(name): card for name, card in fields["table"].items()}
    flags = {_cell(name): owner for name, owner in fields["flags"].items()}
    moved = {_cell(name) for name in fields["moved"]}
    target = _cell(fields["cell"]) if fields["phase"] == "move" else None
    spent = _spent(fields)
    cells = [*cards, target] if target else [*cards]
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(min(y for _, y in cells), max(y for _, y in cells) + 1)

    def tile(cell: Cell) -> str:
        if cell == target:
            return " [ ]"
        mark = f"!{flags[cell]}" if cell in flags else ""
        mark += "+" * (cell in moved and cell not in flags) + "*" * (cell in spent)
        return f" {cards[cell]}{mark}" if cell in cards else "   ."

    # Numbers far from 0 need more room than a tile.
    edge = max(len(str(y)) for y in (rows[0], rows[-1])) + 1
    wide = max(6, *(len(str(x)) + 1 for x in (columns[0], columns[-1])))
    head = " " * edge + "".join(f"{x:>{wide - 2}}  " for x in columns)
    lines = [head.rstrip()]
    for y in rows:
        row = "".join(f"{tile((x, y)):<{wide}}" for x in columns)
        lines.append(f"{y:>{edge}}{row}".rstrip())
    lines += ["", "marks: !1 flag of player 1, + moved in this turn, * was enclosed"]
    return lines


def _pile_lines(fields: Fields) -> list[str]:
    lines = []
    tops = {card[0]: card for card in fields["tops"]}
    for terrain, name in TERRAINS.items():
        if terrain not in tops:
            lines.append(f"{name:<11} pile used up")
            continue
        below = _below(fields, terrain)
        under = f" on {sum(below.values())}: " + " ".join(_list(below)) if below else ", the last"
        lines += _filled(f"{name:<11} top {tops[terrain]}{under}", 14)
    portholes = f"portholes   pile {_in_pile(fields, 'portholes')} (lot {fields['renewals']})"
    lines += _filled(f"{portholes}, discard {' '.join(fields['discard']) or 'empty'}", 14)
    for lot, cards in _unseen_portholes(fields):
        lines += _filled(f"  unseen, lot {lot}: {' '.join(cards)}", 4)
    for what, title in (("treasures", "treasures"), ("items", "item cards")):
        unseen = " ".join(_list(fields["unseen"][what])) or "none"
        where = "pile" if what == "treasures" else "set aside"
        lines += _filled(f"{title:<11} {where} {_in_pile(fields, what)}, unseen: {unseen}", 14)
    lines += _filled(f"            played {' '.join(fields['played']) or 'none'}", 14)
    return lines


def _side_lines(fields: Fields, seat: int, side: Fields) -> list[str]:
    here = "> " if seat == fields["player"] else "  "
    hand = " ".join(side["hand"]) or "empty"
    if any(lot != fields["renewals"] for lot in side["lots"]):
        hand += f" (lots {' '.join(map(str, side['lots']))})"
    treasures = " ".join(side["treasures"]) or "none"
    lines = [f"{here}{_name(fields, seat)}: hand {hand}"]
    lines += _filled(f"    treasures {treasures}", 14)
    shown = [f"up {' '.join(side['up']) or '-'}", f"down {' '.join(side['down']) or '-'}"]
    shown.append(f"secret {' '.join(side['secret']) or '-'}")
    if side["excluded"]:
        shown.append(f"(no secret {' '.join(side['excluded'])})")
    lines += _filled("    items " + "  ".join(shown), 10)
    misses = f", turns to miss {side['misses']}" if side["misses"] else ""
    lines.append(f"    bazaar cards {side['bazaar']}{misses}")
    return lines


def _filled(line: str, indent: int, width: int = 80) -> list[str]:
    """Breaks a line at spaces; what follows is indented."""
    lines = []
    while len(line) > width:
        cut = line.rfind(" ", indent + 1, width + 1)
        if cut < 0:
            break
        lines.append(line[:cut].rstrip())
        line = " " * indent + line[cut + 1 :].lstrip()
    return [*lines, line]


# ---- SVG ----

TERRAIN_COLOURS = {"S": "#24598f", "I": "#3f7a2c", "H": "#59616b", "L": "#a8402f"}
TERRAIN_TINTS = {"S": "#d9e7f3", "I": "#e0edcf", "H": "#dfe3e6", "L": "#f6ddd4"}
CHEST = "#8a5a1c"

MARGIN = 16
TABLE = 640  # the side of the square for the table
PANEL = 452
WIDTH = MARGIN + TABLE + MARGIN + PANEL + MARGIN
HEAD = 44  # where table and panel begin
CHIP = 22  # the height of a chip


def svg(fields: Fields) -> str:
    """The picture as SVG."""
    return picture(fields).render()


def picture(fields: Fields) -> Canvas:
    """The whole table: map, piles, lots and players."""
    # Heights depend on what there is to show: a first pass on a scratch canvas finds them.
    left, right = _draw_all(Canvas(WIDTH, 1), fields)
    canvas = Canvas(WIDTH, max(left, right) + MARGIN)
    _draw_all(canvas, fields)
    return canvas


def _draw_all(canvas: Canvas, fields: Fields) -> tuple[float, float]:
    """Draws everything; answers where the left and the right column end."""
    canvas.text(WIDTH / 2, 22, _headline(fields), size=16, weight="bold")
    y = _draw_table(canvas, MARGIN, HEAD, fields)
    left = _draw_piles(canvas, MARGIN, y + 12, fields)
    right: float = HEAD
    for seat, side in enumerate(fields["sides"]):
        right = _draw_side(canvas, 2 * MARGIN + TABLE, right, fields, seat, side) + 10
    right = _draw_unseen(canvas, 2 * MARGIN + TABLE, right, fields)
    return left, right


# ---- SVG: the table ----


def _draw_table(canvas: Canvas, x: float, y: float, fields: Fields) -> float:
    cards = {_cell(name): card for name, card in fields["table"].items()}
    left, top = min(cx for cx, _ in cards) - 1, min(cy for _, cy in cards) - 1
    columns = max(cx for cx, _ in cards) + 2 - left
    rows = max(cy for _, cy in cards) + 2 - top
    edge = 24
    size = min(64.0, (TABLE - edge) / columns, (TABLE - edge) / rows)
    width, height = columns * size, rows * size
    x0 = x + edge + (TABLE - edge - width) / 2
    y0 = y + edge
    canvas.rect(x0, y0, width, height, fill="#e9e1cb", stroke=LINE, radius=4)
    for i in range(columns):
        canvas.text(x0 + (i + 0.5) * size, y + 12, str(left + i), size=11, fill=FAINT)
    for i in range(rows):
        canvas.text(x0 - 6, y0 + (i + 0.5) * size, str(top + i), size=11, fill=FAINT, anchor="end")
    for i in range(1, columns):
        canvas.line(x0 + i * size, y0, x0 + i * size, y0 + height, stroke=LINE, stroke_width=0.6)
    for i in range(1, rows):
        canvas.line(x0, y0 + i * size, x0 + width, y0 + i * size, stroke=LINE, stroke_width=0.6)

    spent, moved = _spent(fields), {_cell(name) for name in fields["moved"]}
    flags = {_cell(name): owner for name, owner in fields["flags"].items()}
    for (cx, cy), card in cards.items():
        tile = x0 + (cx - left) * size, y0 + (cy - top) * size
        _draw_tile(canvas, *tile, size, card, is_spent=(cx, cy) in spent)
        if (cx, cy) in moved:
            canvas.rect(tile[0] + 2, tile[1] + 2, size - 4, size - 4, stroke=INK, radius=size / 12,
                        stroke_width=2, dash="5 3")  # fmt: skip
        if (cx, cy) in flags:
            _draw_flag(canvas, *tile, size, flags[cx, cy])
    if fields["phase"] == "move":
        cx, cy = _cell(fields["cell"])
        tx, ty = x0 + (cx - left) * size, y0 + (cy - top) * size
        canvas.rect(tx + 2, ty + 2, size - 4, size - 4, fill=TERRAIN_TINTS[fields["terrain"]],
                    stroke=PLAYER_COLOURS[fields["active"]], radius=size / 12, stroke_width=3,
                    dash="6 4")  # fmt: skip
        canvas.text(tx + size / 2, ty + size / 2, "?", size=size / 2,
                    fill=PLAYER_COLOURS[fields["active"]], weight="bold")  # fmt: skip
    note = "✓ was enclosed, brings nothing more · dashed: moved in this turn"
    canvas.text(x + edge, y0 + height + 12, note, size=10, fill=FAINT, anchor="start")
    return y0 + height + 18


def _draw_tile(
    canvas: Canvas, x: float, y: float, size: float, card: str, *, is_spent: bool = False
) -> None:
    """A map card: its terrain, its item below and its chest. What was enclosed is pale."""
    terrain, colour = card[0], TERRAIN_COLOURS[card[0]]
    canvas.rect(x + 1, y + 1, size - 2, size - 2, fill=TERRAIN_TINTS[terrain], stroke=colour,
                radius=size / 12, stroke_width=1.2)  # fmt: skip
    _draw_symbol(canvas, x + size / 2, y + size * 0.38, size * 0.56, terrain)
    has_chest = card.endswith("c")
    middle = x + size * (0.42 if has_chest else 0.5)
    canvas.text(middle, y + size * 0.8, f"i{card[1]}", size=size * 0.28, weight="bold")
    if has_chest:
        _draw_chest(canvas, x + size * 0.65, y + size * 0.69, size * 0.26)
    if is_spent:
        canvas.rect(x + 1, y + 1, size - 2, size - 2, fill="#ffffff", opacity=0.55,
                    radius=size / 12)  # fmt: skip
        left, top = x + size * 0.08, y + size * 0.18
        canvas.path(f"M{left:.1f} {top:.1f} l{size * 0.07:.1f} {size * 0.1:.1f} "
                    f"l{size * 0.12:.1f} {-size * 0.2:.1f}", stroke=INK,
                    stroke_width=2)  # fmt: skip


def _draw_symbol(canvas: Canvas, x: float, y: float, size: float, terrain: str) -> None:
    """A terrain's picture around a middle point, `size` wide and high."""
    colour = TERRAIN_COLOURS[terrain]

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * size, y + py * size) for px, py in points]

    if terrain == "S":
        canvas.polygon(at((-0.5, 0.18), (0.5, 0.18), (0.32, 0.46), (-0.32, 0.46)), fill=colour)
        canvas.polygon(at((-0.04, -0.5), (-0.04, 0.1), (-0.4, 0.1)), fill=colour)
        canvas.polygon(at((0.05, -0.36), (0.05, 0.1), (0.36, 0.1)), fill=colour)
    elif terrain == "I":
        left, right, base = x - 0.5 * size, x + 0.5 * size, y + 0.46 * size
        canvas.path(f"M{left:.1f} {base:.1f} Q{x:.1f} {y - 0.1 * size:.1f} "
                    f"{right:.1f} {base:.1f} Z", fill=colour)  # fmt: skip
        trunk = at((-0.03, 0.25), (0.06, -0.28), (0.12, -0.28), (0.07, 0.25))
        canvas.polygon(trunk, fill=colour)
        for px, py in ((-0.32, -0.2), (-0.2, -0.48), (0.3, -0.5), (0.46, -0.2)):
            canvas.polygon(at((0.09, -0.32), (px, py), (px * 0.4 + 0.06, py * 0.8 - 0.02)),
                           fill=colour, stroke=colour, stroke_width=size / 24)  # fmt: skip
    elif terrain == "H":
        canvas.path(f"M{x - 0.36 * size:.1f} {y + 0.26 * size:.1f} "
                    f"Q{x - 0.2 * size:.1f} {y - 0.32 * size:.1f} "
                    f"{x + 0.3 * size:.1f} {y - 0.46 * size:.1f} "
                    f"Q{x + 0.08 * size:.1f} {y:.1f} "
                    f"{x + 0.34 * size:.1f} {y + 0.26 * size:.1f} Z", fill=colour)  # fmt: skip
        for row in (0.34, 0.46):
            canvas.line(x - 0.5 * size, y + row * size, x + 0.5 * size, y + row * size,
                        stroke=colour, stroke_width=size / 16)  # fmt: skip
    else:
        canvas.polygon(at((-0.12, -0.2), (0.12, -0.2), (0.22, 0.46), (-0.22, 0.46)), fill=colour)
        canvas.polygon(at((-0.16, -0.3), (0, -0.5), (0.16, -0.3)), fill=colour)
        canvas.rect(x - 0.1 * size, y - 0.28 * size, 0.2 * size, 0.1 * size, fill="#f2c230")
        for side in (-1, 1):
            canvas.polygon(at((side * 0.14, -0.25), (side * 0.5, -0.38), (side * 0.5, -0.1)),
                           fill="#f2c230")  # fmt: skip


def _draw_chest(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.rect(x, y, size, size * 0.8, fill=CHEST, radius=size / 8)
    canvas.line(x, y + size * 0.34, x + size, y + size * 0.34, stroke="#f3dfae", stroke_width=1)
    canvas.rect(x + size * 0.4, y + size * 0.26, size * 0.2, size * 0.24, fill="#f2c230")


def _draw_flag(canvas: Canvas, x: float, y: float, size: float, owner: int) -> None:
    colour = PLAYER_COLOURS[owner]
    pole = x + size * 0.1
    canvas.line(pole, y + size * 0.06, pole, y + size * 0.66, stroke=INK, stroke_width=1.5)
    canvas.rect(pole, y + size * 0.06, size * 0.34, size * 0.28, fill=colour, stroke="#ffffff",
                stroke_width=0.8)  # fmt: skip
    canvas.text(pole + size * 0.17, y + size * 0.2, str(owner), size=size * 0.22, fill="#ffffff",
                weight="bold")  # fmt: skip


# ---- SVG: piles ----


def _draw_piles(canvas: Canvas, x: float, y: float, fields: Fields) -> float:
    tops = {card[0]: card for card in fields["tops"]}
    step = TABLE / 2
    for i, (terrain, name) in enumerate(TERRAINS.items()):
        px, py = x + step * (i % 2), y + 70 * (i // 2)
        if terrain in tops:
            _draw_tile(canvas, px, py, 58, tops[terrain])
        else:
            canvas.rect(px + 1, py + 1, 56, 56, stroke=LINE, radius=5, dash="4 4", stroke_width=2)
        below = _below(fields, terrain)
        n = sum(below.values())
        what = f"{n} below" if n else "last card" if terrain in tops else "used up"
        canvas.text(px + 66, py + 10, f"{terrain} {name} pile: {what}", size=12, anchor="start")
        _draw_words(canvas, px + 66, py + 28, step - 72, _list(below))
    y += 146
    n = _in_pile(fields, "portholes")
    title = (
        f"portholes: {n} in the pile (lot {fields['renewals']}), discard {len(fields['discard'])}"
    )
    canvas.text(x, y, title, size=12, anchor="start")
    return _draw_portholes(canvas, x, y + 12, TABLE, 26, fields["discard"]) + 8


def _draw_portholes(
    canvas: Canvas, x: float, y: float, width: float, size: float, cards: Sequence[str]
) -> float:
    """Portholes in rows; answers where they end."""
    in_row = int(width // (size + 5))
    for i, card in enumerate(cards):
        _draw_porthole(
            canvas, x + (size + 5) * (i % in_row), y + (size + 5) * (i // in_row), size, card
        )
    return y + (size + 5) * (-(-len(cards) // in_row))


def _draw_porthole(canvas: Canvas, x: float, y: float, size: float, card: str) -> None:
    if card == "?":
        canvas.rect(x, y, size, size, fill=BACK, stroke="#ffffff", radius=size / 8)
        canvas.text(x + size / 2, y + size / 2, "?", size=size * 0.5, fill="#ffffff")
        return
    canvas.rect(x, y, size, size, fill=CARD, stroke=INK, radius=size / 8)
    first, how, second = card[0], card[1], card[2]
    half = size / 2 - 1
    beside = how == "|"
    for terrain, dx, dy in ((first, 0, 0), (second, beside, not beside)):
        width, height = (half, size - 2) if beside else (size - 2, half)
        px, py = x + 1 + dx * half, y + 1 + dy * half
        canvas.rect(px, py, width, height, fill=TERRAIN_TINTS[terrain], radius=size / 12)
        _draw_symbol(canvas, px + width / 2, py + height / 2, half * 0.9, terrain)


# ---- SVG: players ----


def _draw_side(
    canvas: Canvas, x: float, y: float, fields: Fields, seat: int, side: Fields
) -> float:
    """A player's box; answers where it ends."""
    colour, top = PLAYER_COLOURS[seat], y
    decides = " · decides" if seat == fields["player"] else ""
    waits = fields["phase"] == "answer" and seat == fields["active"]
    turn = " · on turn" if waits else ""
    canvas.text(x + 12, y + 14, _name(fields, seat) + decides + turn, size=14, fill=colour,
                anchor="start", weight="bold")  # fmt: skip
    bazaar = f"bazaar cards {side['bazaar']}"
    if side["misses"]:
        bazaar = f"turns to miss {side['misses']} · " + bazaar
    canvas.text(x + PANEL - 12, y + 14, bazaar, size=12, anchor="end")
    y += 28
    size = 40
    for i, (card, lot) in enumerate(zip(side["hand"], side["lots"], strict=True)):
        _draw_porthole(canvas, x + 12 + 53 * i, y, size, card)
        label = "" if card == "?" else card
        if lot != fields["renewals"]:
            label = f"{label} lot {lot}".lstrip()
        canvas.text(x + 12 + 53 * i + size / 2, y + size + 8, label, size=9, fill=FAINT)
    if not side["hand"]:
        canvas.text(x + 12, y + size / 2, "no portholes", size=12, fill=FAINT, anchor="start")
    y += size + 18
    treasures = _list(dict(Counter(side["treasures"])))
    y = _draw_chips(canvas, x, y, "treasures", [(card, "treasure") for card in treasures])
    items = [(item, "up") for item in side["up"]] + [(item, "down") for item in side["down"]]
    items += [(item, "secret") for item in side["secret"]]
    y = _draw_chips(canvas, x, y, "items", items)
    if side["excluded"]:
        note = "no secret " + " ".join(side["excluded"])
        canvas.text(x + 84, y + 4, note, size=11, fill=FAINT, anchor="start")
        y += 14
    heavy = seat == fields["player"]
    canvas.rect(x, top, PANEL, y - top + 2, stroke=colour, radius=10,
                stroke_width=3 if heavy else 1.2)  # fmt: skip
    return y + 2


def _draw_chips(
    canvas: Canvas, x: float, y: float, title: str, chips: Sequence[tuple[str, str]]
) -> float:
    """Small labels after a title, in as many rows as they need; answers where they end."""
    canvas.text(x + 12, y + CHIP / 2, title, size=12, fill=FAINT, anchor="start")
    at = x + 84
    if not chips:
        canvas.text(at, y + CHIP / 2, "none", size=12, fill=FAINT, anchor="start")
    for label, look in chips:
        width = 14 + 7.6 * len(label)
        if at + width > x + PANEL - 8:
            at, y = x + 84, y + CHIP + 4
        _draw_chip(canvas, at, y, width, label, look)
        at += width + 5
    return y + CHIP + 5


def _draw_chip(canvas: Canvas, x: float, y: float, width: float, label: str, look: str) -> None:
    """Items that are up are dark, those down again dashed; what is hidden has the cards' back."""
    fill, stroke, ink = {
        "up": ("#2f6b3c", "#2f6b3c", "#ffffff"),
        "down": (CARD, "#a8402f", "#a8402f"),
        "secret": (CARD, INK, INK),
        "treasure": ("#f6e6bd", CHEST, INK),
    }[look]
    if label.startswith("?"):
        fill, stroke, ink = BACK, BACK, "#ffffff"
    canvas.rect(x, y, width, CHIP, fill=fill, stroke=stroke, radius=6, stroke_width=1.4,
                dash="4 3" if look == "down" else None)  # fmt: skip
    canvas.text(x + width / 2, y + CHIP / 2, label, size=12, fill=ink)


# ---- SVG: what nobody or not everybody sees ----


def _draw_unseen(canvas: Canvas, x: float, y: float, fields: Fields) -> float:
    """The lots, the played treasures and the names of the items."""
    unseen = fields["unseen"]
    treasures = f"unseen treasures, {_in_pile(fields, 'treasures')} in the pile:"
    items = f"unseen items, {_in_pile(fields, 'items')} set aside:"
    entries = [(f"unseen portholes, lot {lot}:", cards) for lot, cards in _unseen_portholes(fields)]
    entries += [(treasures, _list(unseen["treasures"])), (items, _list(unseen["items"]))]
    entries.append(("played treasures:", _list(dict(Counter(fields["played"])))))
    y += 6
    for title, words in entries:
        canvas.text(x, y, title, size=12, anchor="start")
        y = _draw_words(canvas, x + 12, y + 16, PANEL - 12, words or ["none"]) + 4
    names = [f"i{i} {name}" for i, name in enumerate(ITEMS)]
    y = _draw_words(canvas, x, y + 4, PANEL, [name + "," for name in names[:-1]] + names[-1:])
    for look, label in (("up", "won"), ("down", "down again"), ("secret", "wanted")):
        width = 14 + 7.6 * len(label)
        _draw_chip(canvas, x, y, width, label, look)
        x += width + 8
    return y + CHIP + 4


def _draw_words(
    canvas: Canvas, x: float, y: float, width: float, words: Iterable[str], size: float = 11
) -> float:
    """Words in lines of some width; answers where the next line would be."""
    line = ""
    room = width / (0.62 * size)
    for word in words:
        if line and len(line) + 1 + len(word) > room:
            canvas.text(x, y, line, size=size, fill=FAINT, anchor="start")
            line, y = "", y + size + 4
        line = f"{line} {word}".lstrip()
    canvas.text(x, y, line, size=size, fill=FAINT, anchor="start")
    return y + size + 4
