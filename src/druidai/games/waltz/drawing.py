"""Drawings of Druidenwalzer: the ring of trees with Sun above and Moon below.

  Sun4  Sun3  Sun2  Sun1
SunCult                 MoonCult      clockwise is the direction of arrow L
  Moon4 Moon3 Moon2 Moon1
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from druidai.render.canvas import BACK, CARD, FAINT, INK, LINE, Canvas

Fields = dict[str, Any]

NAMES = ("Moon", "Sun")
SIDE_COLOURS = ("#3d4f7c", "#c98a12")
DRUID_COLOURS = {"O": "#e07b00", "P": "#8146a5", "B": "#1d1d1f"}
VALUE_COLOURS = ("#5b7f3a", "#2f7f86", "#35589e", "#8c3f7d", "#b23a2e")
ARROWS = {"L": "↻", "R": "↺"}
COLUMNS = (4, 3, 2, 1)  # tree numbers from the left


def _headline(fields: Fields) -> str:
    return f"Druidenwalzer · {_status(fields)}"


def _status(fields: Fields) -> str:
    phase, player = fields["phase"], fields["player"]
    if phase == "over":
        lost = [sum("lost" in tree for tree in side["trees"]) for side in fields["sides"]]
        if max(lost) < 2:
            return f"over at the turn cap after {fields['turns']} turns: drawn"
        return f"over, {NAMES[lost[0] == 2]} has won"
    doing = {
        "choose": "chooses the first cult card",
        "druids": "sets the druids",
        "turn": "is to move",
        "fights": f"orders the fights {' '.join(fields.get('fights', []))}",
    }[phase]
    return f"turn {fields['turns'] + 1} · {NAMES[player]} (player {player}) {doing}"


# ---- Text ----


def text(fields: Fields) -> str:
    """The position in a few lines, 80 columns wide."""
    moon, sun = fields["sides"]
    lines = [_headline(fields), ""]
    lines += [f"  {_hand_line('Sun', sun)}", _cult_line("Sun", sun), ""]
    lines += _row("Sun", sun)
    lines += ["", "  " + "- " * 38, ""]
    lines += _row("Moon", moon)
    lines += ["", f"  {_hand_line('Moon', moon)}", _cult_line("Moon", moon)]
    return "\n".join(lines)


def _hand_line(name: str, side: Fields) -> str:
    hand = " ".join(side["hand"]) or "empty"
    return f"{name:<5} hand {hand}   draw pile {side['draw']}"


def _cult_line(name: str, side: Fields) -> str:
    cards = " ".join(side["cult"]) or "empty"
    return f"  {name:<5} cult {cards}"


def _row(name: str, side: Fields) -> list[str]:
    cells = [_tree_cell(name, number, side["trees"][number - 1]) for number in COLUMNS]
    return [
        "  " + "".join(f"{line:<19}" for line in row).rstrip() for row in zip(*cells, strict=True)
    ]


def _tree_cell(name: str, number: int, tree: Fields) -> list[str]:
    title = f"{name}{number}"
    if "cards" not in tree:
        return [f"{title} (lost)", "", "", ""]
    cards = tree["cards"]
    up = [card for card in cards if card != "?"]
    down = len(cards) - len(up)
    druid = f" [{tree['druid']}]" if tree["druid"] != "none" else ""
    top = f"top {up[-1]}" if up else "no cards"
    covered = "under " + " ".join(reversed(up[:-1][-3:])) if len(up) > 1 else ""
    if len(up) > 4:
        covered += "…"
    tokens = f"tokens {'*' * tree['tokens']}" if tree["tokens"] else "no tokens"
    first = title + druid + (" (lost)" if "lost" in tree else "")
    return [first, f"{top}" + (f"  +{down} down" if down else ""), covered, tokens]


# ---- SVG ----

CELL_W, CELL_H = 150, 176
LEFT, TOP, GAP = 176, 128, 64
WIDTH = 2 * LEFT + 4 * CELL_W
HEIGHT = 2 * TOP + 2 * CELL_H + GAP - 12


def svg(fields: Fields) -> str:
    """The picture as SVG."""
    return picture(fields).render()


def picture(fields: Fields) -> Canvas:
    """The whole table: trees, piles, druids, tokens, ring, cult boards and hands."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.text(WIDTH / 2, 20, _headline(fields), size=16, weight="bold")
    for player, y in ((1, TOP), (0, TOP + CELL_H + GAP)):
        side = fields["sides"][player]
        for column, number in enumerate(COLUMNS):
            x = LEFT + column * CELL_W
            _draw_tree(canvas, x, y, player, number, side["trees"][number - 1])
    _draw_ring(canvas, fields)
    _draw_cult(canvas, 12, 1, fields["sides"][1])
    _draw_cult(canvas, WIDTH - LEFT + 12, 0, fields["sides"][0])
    _draw_hand(canvas, 44, 1, fields["sides"][1])
    _draw_hand(canvas, HEIGHT - 96, 0, fields["sides"][0])
    return canvas


def _draw_ring(canvas: Canvas, fields: Fields) -> None:
    """The bann ring, which lies in the middle between turns."""
    x, y = WIDTH / 2, TOP + CELL_H + GAP / 2
    canvas.line(LEFT + 10, y, WIDTH - LEFT - 10, y, stroke=LINE, stroke_width=2, dash="6 6")
    canvas.circle(x, y, 22, fill="#f6f1e4", stroke="#b08d2f", stroke_width=6)
    canvas.text(x, y, "ring", size=11, fill=FAINT)
    if fields["phase"] == "fights":
        canvas.text(x + 40, y - 14, "fights " + " ".join(fields["fights"]), anchor="start")


def _draw_tree(canvas: Canvas, x: float, y: float, player: int, number: int, tree: Fields) -> None:
    colour = SIDE_COLOURS[player]
    lost = "lost" in tree
    canvas.rect(x + 5, y, CELL_W - 10, CELL_H, fill="#ebe3cd" if lost else "#e4ead2",
                stroke=colour, radius=10, stroke_width=2, dash="5 5" if lost else None,
                opacity=0.55 if lost else None)  # fmt: skip
    canvas.text(x + 16, y + 15, f"{NAMES[player]}{number}", size=13, fill=colour, anchor="start",
                weight="bold")  # fmt: skip
    if lost:
        canvas.text(x + 72, y + 15, "lost", size=13, fill=FAINT, anchor="start")
    if "cards" not in tree:
        return
    if tree["druid"] != "none":
        canvas.circle(x + CELL_W - 24, y + 19, 13, fill=DRUID_COLOURS[tree["druid"]])
        canvas.text(x + CELL_W - 24, y + 19, tree["druid"], fill="#ffffff", weight="bold")
    _draw_pile(canvas, x + 14, y + 34, tree["cards"])
    for i in range(tree["tokens"]):
        canvas.circle(x + 22 + 18 * i, y + CELL_H - 15, 7, fill=SIDE_COLOURS[1 - player],
                      stroke="#ffffff", stroke_width=1)  # fmt: skip


def _draw_pile(canvas: Canvas, x: float, y: float, cards: list[str]) -> None:
    """Backs for the face-down cards, the covered face-up ones as chips, the top card large."""
    up = [card for card in cards if card != "?"]
    down = len(cards) - len(up)
    if not cards:
        canvas.rect(x, y, 56, 78, stroke=LINE, radius=6, dash="4 4", stroke_width=2)
        canvas.text(x + 28, y + 39, "empty", size=12, fill=FAINT)
        return
    for i in range(down):
        canvas.rect(x + 3 * i, y + 3 * i, 56, 78, fill=BACK, stroke="#ffffff", radius=6)
    draw_card(canvas, x + 3 * down, y + 3 * down, up[-1])
    canvas.text(x + 2, y + 101, f"{len(up)} up, {down} down", size=11, fill=FAINT, anchor="start")
    for i, card in enumerate(list(reversed(up[:-1]))[:8]):
        column, row = divmod(i, 4)
        draw_chip(canvas, x + 74 + 26 * column, y + 4 + 22 * row, card)
    if len(up) > 9:
        canvas.text(x + 98, y + 96, f"+{len(up) - 9}", size=11, fill=FAINT)


def draw_card(canvas: Canvas, x: float, y: float, card: str) -> None:
    """A card of 56 x 78, or its back for `?`."""
    if card == "?":
        canvas.rect(x, y, 56, 78, fill=BACK, stroke="#ffffff", radius=6)
        canvas.text(x + 28, y + 39, "?", size=26, fill="#ffffff")
        return
    colour = VALUE_COLOURS[int(card[0]) - 1]
    canvas.rect(x, y, 56, 78, fill=CARD, stroke=colour, radius=6, stroke_width=2)
    canvas.text(x + 28, y + 27, card[0], size=32, fill=colour, weight="bold")
    canvas.text(x + 28, y + 60, f"{ARROWS[card[1]]} {card[1]}", size=18, fill=colour)


def draw_chip(canvas: Canvas, x: float, y: float, card: str, *, count: int = 1) -> None:
    """A card as a small label."""
    colour = VALUE_COLOURS[int(card[0]) - 1]
    canvas.rect(x, y, 24, 18, fill=CARD, stroke=colour, radius=4)
    canvas.text(x + 12, y + 9, card, size=11, fill=colour)
    if count > 1:
        canvas.text(x + 27, y + 9, f"×{count}", size=11, anchor="start")


def _draw_cult(canvas: Canvas, x: float, player: int, side: Fields) -> None:
    colour, y, width = SIDE_COLOURS[player], TOP + 60, LEFT - 24
    height = 2 * CELL_H + GAP - 120
    canvas.rect(x, y, width, height, fill="#efe7d3", stroke=colour, radius=14, stroke_width=3)
    canvas.text(x + width / 2, y + 18, f"{NAMES[player]} cult", fill=colour, weight="bold")
    counts: Counter[str] = Counter(side["cult"])
    for i, (card, count) in enumerate(sorted(counts.items())):
        row, column = divmod(i, 2)
        draw_chip(canvas, x + 20 + 66 * column, y + 38 + 26 * row, card, count=count)
    if not counts:
        canvas.text(x + width / 2, y + height / 2, "no cards", size=12, fill=FAINT)


def _draw_hand(canvas: Canvas, y: float, player: int, side: Fields) -> None:
    colour = SIDE_COLOURS[player]
    canvas.text(
        LEFT + 6, y + 39, f"{NAMES[player]}'s hand", fill=colour, anchor="start", weight="bold"
    )
    for i, card in enumerate(side["hand"]):
        draw_card(canvas, LEFT + 130 + 66 * i, y, card)
    if not side["hand"]:
        canvas.text(LEFT + 130, y + 39, "empty", size=12, fill=FAINT, anchor="start")
    x = WIDTH - LEFT - 210
    if side["draw"]:
        canvas.rect(x + 4, y + 4, 56, 74, fill=BACK, stroke="#ffffff", radius=6)
    canvas.rect(x, y, 56, 74, fill=BACK if side["draw"] else "none", stroke=LINE, radius=6)
    canvas.text(x + 28, y + 37, str(side["draw"]), size=20,
                fill="#ffffff" if side["draw"] else INK)  # fmt: skip
    canvas.text(x + 70, y + 30, "draw pile", size=12, fill=FAINT, anchor="start")
    canvas.text(x + 70, y + 48, f"lot {side['renewals']}", size=12, fill=FAINT, anchor="start")
