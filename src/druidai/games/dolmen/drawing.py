"""Drawings of Dolmen: the board from its coordinates, with stones, druids and dolmens on it.

Everything comes from the JSON form and the board's file; see docs/games/dolmen.md for both.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from math import atan2, cos, hypot, sin, tau
from typing import Any, NamedTuple

import msgspec

from druidai.render.canvas import CARD, FAINT, INK, LINE, PLAYER_COLOURS, Canvas

Fields = dict[str, Any]
Point = tuple[float, float]


class Board(NamedTuple):
    """What a drawing needs of a board."""

    nodes: list[Point]
    paths: list[list[int]]
    gates: list[list[int]]
    corners: list[int]
    circles: list[list[int]]

    def centre(self, circle: int) -> Point:
        points = [self.nodes[node] for node in self.circles[circle]]
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _board(fields: Fields) -> Board:
    board = fields["options"]["board"]
    return _shipped(board) if isinstance(board, str) else _from_object(board)


@cache
def _shipped(name: str) -> Board:
    file = resources.files("druidai") / "data" / "dolmen" / "board" / f"{name}.json"
    return _from_object(msgspec.json.decode(file.read_bytes()))


def _from_object(board: Fields) -> Board:
    return Board(
        [(node["x"], node["y"]) for node in board["nodes"]],
        board["paths"],
        board["gates"],
        board["corners"],
        [circle["nodes"] for circle in board["circles"]],
    )


def _multiplier(nodes: list[int]) -> int:
    return len(nodes) // 2 + 1


# ---- What both drawings say ----


def _headline(fields: Fields) -> str:
    return f"Dolmen · {_status(fields)}"


def _status(fields: Fields) -> str:
    if fields["player"] == -1:
        winners = _winners(fields)
        names = " and ".join(f"player {seat}" for seat in winners)
        return f"over, {names} {'has won' if len(winners) == 1 else 'share the win'}"
    end = " · last turns" if "ender" in fields else ""
    due = _due(fields)
    if due is not None:
        return f"player {due['player']} raises in circle {due['circle']}, {_where(due)}{end}"
    if fields["raisings"]:
        return f"player {fields['turn']} names the circle whose raising comes next{end}"
    return f"player {fields['turn']} is to move{end}"


def _due(fields: Fields) -> Fields | None:
    """The raising that is decided now: the named one, or the first of those of one player."""
    raisings: list[Fields] = fields["raisings"]
    if "next" in fields:
        return next(one for one in raisings if one["circle"] == fields["next"])
    return raisings[0] if len({one["player"] for one in raisings}) == 1 else None


def _score(fields: Fields, seat: int) -> int | None:
    """Marker and dolmens together; None where a value is not known."""
    score: int = fields["sides"][seat]["points"]
    circles = _board(fields).circles
    for circle, pile in fields["dolmens"].items():
        for depth, stone in enumerate(pile):
            owner, value = stone.split(":")
            if owner == str(seat):
                if value == "?":
                    return None
                score += int(value) * max(0, _multiplier(circles[int(circle)]) - depth)
    return score


def _winners(fields: Fields) -> list[int]:
    ranks = [
        (_score(fields, seat), -sum(side["hand"].values()))
        for seat, side in enumerate(fields["sides"])
    ]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def _hand(side: Fields) -> str:
    return "  ".join(f"{value}×{count}" for value, count in side["hand"].items()) or "none"


def _where(raising: Fields) -> str:
    return "on top" if raising["where"] == "top" else "underneath"


def _raising_line(raising: Fields, due: Fields | None) -> str:
    now = " (now)" if raising is due else ""
    return f"player {raising['player']}: circle {raising['circle']}, {_where(raising)}{now}"


def _occupants(fields: Fields) -> dict[int, tuple[str, int]]:
    """Node -> what stands there and whose it is."""
    return {
        node: (kind, seat)
        for seat, side in enumerate(fields["sides"])
        for kind in ("stones", "druids")
        for node in side[kind]
    }


# ---- Text ----

COLUMNS, ROWS = 108, 45
MARKS = {"stones": "●", "druids": "▲"}


def text(fields: Fields) -> str:
    """The board as a map, then the circles that matter and the players."""
    board = _board(fields)
    lines = [_headline(fields), ""]
    lines += [f"  {line}" for line in _map(fields, board)]
    lines += [
        "",
        "  12 free node   12●0 stone of player 0   12▲0 druid of player 0   (c3×4) circle 3",
    ]
    gates = "  ".join(f"{a}-{b}" for a, b in board.gates)
    lines += [f"  gates   {gates}", f"  corners {'  '.join(map(str, board.corners))}", ""]
    lines += _circle_lines(fields, board)
    lines += [_side_line(fields, seat) for seat in range(fields["players"])]
    if fields["raisings"]:
        due = _due(fields)
        listed = "; ".join(_raising_line(raising, due) for raising in fields["raisings"])
        lines += ["", f"  open raisings: {listed}"]
    return "\n".join(line.rstrip() for line in lines)


def _map(fields: Fields, board: Board) -> list[str]:
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    occupants = _occupants(fields)

    def at(point: Point) -> tuple[int, int]:
        x, y = point
        return round(3 + x / 1000 * (COLUMNS - 7)), round(y / 1000 * (ROWS - 1))

    def write(point: Point, label: str, *, lower: int = 0) -> None:
        column, row = at(point)
        row = min(row + lower, ROWS - 1)
        start = min(max(0, column - len(label) // 2), COLUMNS - len(label))
        grid[row][start : start + len(label)] = label

    for a, b in board.paths:
        (x1, y1), (x2, y2) = board.nodes[a], board.nodes[b]
        steps = max(1, int(hypot(x2 - x1, y2 - y1) / 18))
        for i in range(steps + 1):
            column, row = at((x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps))
            grid[row][column] = "·"
    for circle, nodes in enumerate(board.circles):
        centre = board.centre(circle)
        write(centre, f"(c{circle}×{_multiplier(nodes)})")
        pile = fields["dolmens"].get(str(circle))
        if pile:
            write(centre, f"[{len(pile)}]", lower=1)
    for node, point in enumerate(board.nodes):
        kind, seat = occupants.get(node, ("", 0))
        write(point, f" {node}{MARKS[kind]}{seat} " if kind else f" {node} ")
    return ["".join(row) for row in grid]


def _circle_lines(fields: Fields, board: Board) -> list[str]:
    """Circles with stones of two colours, or with a dolmen."""
    occupants = _occupants(fields)
    lines = []
    for circle, nodes in enumerate(board.circles):
        owners = [occupants[n][1] for n in nodes if occupants.get(n, ("",))[0] == "stones"]
        pile = fields["dolmens"].get(str(circle), [])
        if len(set(owners)) < 2 and not pile:
            continue
        stones = "  ".join(f"player {seat}: {owners.count(seat)}" for seat in sorted(set(owners)))
        dolmen = f"   dolmen from the top {' '.join(pile)}" if pile else ""
        lines.append(f"  circle {circle:<2} ×{_multiplier(nodes)}  stones {stones}{dolmen}")
    return [*lines, ""] if lines else []


def _side_line(fields: Fields, seat: int) -> str:
    side, options = fields["sides"][seat], fields["options"]
    score = _score(fields, seat)
    stones = options["stones"] - len(side["stones"])
    druids = options["druids"] - len(side["druids"])
    you = " (you)" if fields.get("seat") == seat else ""
    return (
        f"  player {seat}{you:<6}  points {side['points']}"
        f"  with dolmens {'?' if score is None else score}   stones left {stones}"
        f"   druids off {druids}   dolmen stones {_hand(side)}"
    )


# ---- SVG ----

MARGIN, HEAD = 58, 56
SCALE = 0.92  # pixels for a unit of the board
SIZE = 1000 * SCALE
PANEL = 330
WIDTH = SIZE + 2 * MARGIN + PANEL
SHADES = {4: "#e6d9b8", 6: "#d9e2c3", 8: "#c9dbd9"}  # by nodes of a circle
CHIP_W, CHIP_H = 24, 15
STEP_W, STEP_H = 31, 38  # of the victory track
STEPS_IN_ROW = 10
GATE_AT = 46  # from a node to its sign, which a druid must not cover


def svg(fields: Fields) -> str:
    """The picture as SVG."""
    return picture(fields).render()


def picture(fields: Fields) -> Canvas:
    """The whole table: board, dolmens, victory track, and what each player has."""
    board = _board(fields)
    canvas = Canvas(WIDTH, SIZE + 2 * MARGIN + HEAD - 20)
    canvas.text(WIDTH / 2, 24, _headline(fields), size=18, weight="bold")
    _draw_circles(canvas, fields, board)
    for a, b in board.paths:
        canvas.line(*_xy(board.nodes[a]), *_xy(board.nodes[b]), stroke="#8f8468", stroke_width=3)
    _draw_gates(canvas, board)
    occupants = _occupants(fields)
    for node, point in enumerate(board.nodes):
        _draw_node(canvas, node, _xy(point), occupants.get(node))
    for circle in range(len(board.circles)):
        _draw_dolmen(canvas, fields, board, circle)
    _draw_panel(canvas, fields)
    return canvas


def _xy(point: Point) -> Point:
    return MARGIN + point[0] * SCALE, HEAD + MARGIN - 24 + point[1] * SCALE


def _draw_circles(canvas: Canvas, fields: Fields, board: Board) -> None:
    for nodes in board.circles:
        canvas.polygon([_xy(board.nodes[node]) for node in nodes], fill=SHADES[len(nodes)])
    for raising in reversed(fields["raisings"]):
        nodes = board.circles[raising["circle"]]
        canvas.polygon([_xy(board.nodes[node]) for node in nodes], stroke_width=11,
                       stroke=PLAYER_COLOURS[raising["player"]], opacity=0.55)  # fmt: skip


def _outward(board: Board, node: int, distance: float) -> Point:
    """A point beside a rim node, midway between its paths and outside of all circles."""
    x, y = board.nodes[node]
    others = [b if a == node else a for a, b in board.paths if node in (a, b)]
    angles = sorted(atan2(board.nodes[n][1] - y, board.nodes[n][0] - x) for n in others)
    gaps = [
        ((second - first) % tau or tau, first)
        for first, second in zip(angles, angles[1:] + angles[:1], strict=True)
    ]
    outer = [gap for gap in gaps if _is_outside(board, node, gap[1] + gap[0] / 2)]
    width, start = max(outer or gaps)
    px, py = _xy((x, y))
    return px + cos(start + width / 2) * distance, py + sin(start + width / 2) * distance


def _is_outside(board: Board, node: int, angle: float) -> bool:
    """Whether a short step from a node in this direction leads into none of its circles."""
    x, y = board.nodes[node][0] + cos(angle), board.nodes[node][1] + sin(angle)
    for nodes in board.circles:
        if node not in nodes:
            continue
        corners = [board.nodes[other] for other in nodes]
        crossed = 0  # sides of the circle that a ray to the right crosses
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
                crossed += 1
        if crossed % 2:
            return False
    return True


def _draw_gates(canvas: Canvas, board: Board) -> None:
    """Both ends of a gate carry the same sign; corners carry a star."""
    for number, gate in enumerate(board.gates):
        sign = _sign(number)
        for node in gate:
            x, y = _outward(board, node, GATE_AT)
            canvas.line(*_xy(board.nodes[node]), x, y, stroke="#8a5a9e", stroke_width=2, dash="3 3")
            canvas.rect(x - 12, y - 10, 24, 20, fill="#8a5a9e", radius=4)
            canvas.text(x, y, sign, size=13, fill="#ffffff", weight="bold")
    for node in board.corners:
        x, y = _outward(board, node, GATE_AT)
        canvas.circle(x, y, 11, fill="#8a5a9e")
        canvas.text(x, y, "★", size=13, fill="#ffffff")


def _sign(number: int) -> str:
    letter = chr(ord("A") + number % 26)
    return letter if number < 26 else f"{letter}{number // 26 + 1}"


def _draw_node(canvas: Canvas, node: int, at: Point, piece: tuple[str, int] | None) -> None:
    x, y = at
    if piece is None:
        canvas.circle(x, y, 11, fill=CARD, stroke="#8f8468", stroke_width=1.5)
        canvas.text(x, y, str(node), size=11)
        return
    kind, seat = piece
    colour = PLAYER_COLOURS[seat]
    if kind == "stones":
        _draw_stone(canvas, x, y, colour)
        canvas.text(x, y, str(node), size=11, fill="#ffffff", weight="bold")
    else:
        _draw_druid(canvas, x, y - 4, colour)
        canvas.text(x, y + 9, str(node), size=11, fill="#ffffff", weight="bold")


def _draw_stone(canvas: Canvas, x: float, y: float, colour: str) -> None:
    canvas.rect(x - 14, y - 12, 28, 24, fill=colour, stroke="#ffffff", radius=9, stroke_width=2)


def _draw_druid(canvas: Canvas, x: float, y: float, colour: str) -> None:
    """A hooded figure, taller than a stone, with a dark outline."""
    canvas.path(
        f"M {x - 16:.1f} {y + 22:.1f} Q {x - 13:.1f} {y - 4:.1f} {x:.1f} {y - 24:.1f} "
        f"Q {x + 13:.1f} {y - 4:.1f} {x + 16:.1f} {y + 22:.1f} Z",
        fill=colour, stroke=INK, stroke_width=2.5,
    )  # fmt: skip
    canvas.circle(x, y - 5, 5.5, fill="#f4dfc4", stroke=INK, stroke_width=1)


def _draw_dolmen(canvas: Canvas, fields: Fields, board: Board, circle: int) -> None:
    """The multiplier in the middle; with a dolmen, its stones from top to bottom beside it."""
    x, y = _xy(board.centre(circle))
    nodes = board.circles[circle]
    pile = fields["dolmens"].get(str(circle), [])
    left = x - 15 if pile else x
    canvas.text(left, y - 3, f"×{_multiplier(nodes)}", size=19 if len(nodes) > 4 else 16,
                fill="#6d6450", weight="bold")  # fmt: skip
    canvas.text(left, y + 14, f"c{circle}", size=11, fill=FAINT)
    top = y - len(pile) * CHIP_H / 2
    for i, stone in enumerate(pile):
        _draw_chip(canvas, x + 4, top + i * CHIP_H, stone)


def _draw_chip(canvas: Canvas, x: float, y: float, stone: str) -> None:
    owner, value = stone.split(":")
    canvas.rect(x, y, CHIP_W, CHIP_H, fill=PLAYER_COLOURS[int(owner)], stroke="#ffffff", radius=3,
                stroke_width=1.2)  # fmt: skip
    canvas.text(x + CHIP_W / 2, y + CHIP_H / 2 + 0.5, value, size=12, fill="#ffffff", weight="bold")


def _draw_panel(canvas: Canvas, fields: Fields) -> None:
    left = SIZE + 2 * MARGIN
    y = HEAD + 14.0
    for seat in range(fields["players"]):
        _draw_side(canvas, left, y, fields, seat)
        y += 140
    y = _draw_track(canvas, left, y + 4, fields)
    if fields["raisings"]:
        canvas.text(left, y, "open raisings", anchor="start", weight="bold")
        due = _due(fields)
        for raising in fields["raisings"]:
            y += 22
            canvas.text(left, y, _raising_line(raising, due), anchor="start",
                        fill=PLAYER_COLOURS[raising["player"]])  # fmt: skip
        y += 30
    _draw_legend(canvas, left, y)


def _draw_side(canvas: Canvas, x: float, y: float, fields: Fields, seat: int) -> None:
    side, options, colour = fields["sides"][seat], fields["options"], PLAYER_COLOURS[seat]
    decides = fields["player"] == seat
    canvas.rect(x, y, PANEL - 20, 130, fill=CARD, stroke=colour, radius=10,
                stroke_width=4 if decides else 1.5)  # fmt: skip
    name = f"player {seat}" + (" (you)" if fields.get("seat") == seat else "")
    canvas.text(x + 14, y + 18, name, size=15, fill=colour, anchor="start", weight="bold")
    note = "decides" if decides else "at turn" if fields["turn"] == seat else ""
    if fields["player"] == -1:
        note = "winner" if seat in _winners(fields) else ""
    canvas.text(x + PANEL - 34, y + 18, note, size=13, fill=FAINT, anchor="end")
    score = _score(fields, seat)
    points = f"points {side['points']}"
    if score is not None and score != side["points"]:
        points += f" + dolmens {score - side['points']} = {score}"
    elif score is None:
        points += " + dolmens ?"
    canvas.text(x + 14, y + 40, points, size=13, anchor="start")
    stones = options["stones"] - len(side["stones"])
    canvas.rect(x + 14, y + 56, 18, 15, fill=colour, radius=6)
    canvas.text(x + 40, y + 64, f"stones left: {stones}", size=13, anchor="start")
    druids = options["druids"] - len(side["druids"])
    canvas.path(f"M {x + 166:.1f} {y + 72:.1f} L {x + 174:.1f} {y + 53:.1f} L {x + 182:.1f} "
                f"{y + 72:.1f} Z", fill=colour, stroke=INK, stroke_width=1)  # fmt: skip
    canvas.text(x + 190, y + 64, f"druids off: {druids}", size=13, anchor="start")
    canvas.text(x + 14, y + 88, "dolmen stones in hand", size=12, fill=FAINT, anchor="start")
    if not side["hand"]:
        canvas.text(x + 14, y + 110, "none", size=13, anchor="start")
    for i, (value, count) in enumerate(side["hand"].items()):
        at = x + 14 + 70 * i
        _draw_chip(canvas, at, y + 102, f"{seat}:{value}")
        canvas.text(at + CHIP_W + 5, y + 110, f"×{count}", size=13, anchor="start")


def _draw_track(canvas: Canvas, x: float, y: float, fields: Fields) -> float:
    """The victory track from 1 to where the markers began. Answers where it ends."""
    length = fields["options"]["start_points"]
    canvas.text(x, y + 8, "victory track", anchor="start", weight="bold")
    standing: dict[int, list[int]] = {}
    for seat, side in enumerate(fields["sides"]):
        standing.setdefault(side["points"], []).append(seat)
    # Of a track too long for the page only the steps with markers are drawn.
    steps = range(1, length + 1) if length <= 2 * STEPS_IN_ROW else sorted(standing)
    for i, step in enumerate(steps):
        row, column = divmod(i, STEPS_IN_ROW)
        at = x + column * STEP_W, y + 22 + row * (STEP_H + 3)
        _draw_step(canvas, *at, step, standing.get(step, []))
    rows = (len(steps) - 1) // STEPS_IN_ROW + 1
    return y + 22 + rows * (STEP_H + 3) + 22


def _draw_step(canvas: Canvas, x: float, y: float, step: int, seats: list[int]) -> None:
    canvas.rect(x, y, STEP_W - 3, STEP_H, fill=CARD, stroke=LINE, radius=4)
    canvas.text(x + (STEP_W - 3) / 2, y + 8, str(step), size=10, fill=FAINT)
    for i, seat in enumerate(seats):
        canvas.circle(x + 8.5 + 11 * (i % 2), y + 20 + 11 * (i // 2), 5, fill=PLAYER_COLOURS[seat],
                      stroke="#ffffff", stroke_width=1)  # fmt: skip


def _draw_legend(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y - 9, 22, 18, fill="#8a5a9e", radius=4)
    canvas.text(x + 11, y, "A", size=12, fill="#ffffff", weight="bold")
    canvas.text(x + 30, y, "gate, joined to the other A", size=12, fill=FAINT, anchor="start")
    canvas.circle(x + 11, y + 24, 10, fill="#8a5a9e")
    canvas.text(x + 11, y + 24, "★", size=12, fill="#ffffff")
    canvas.text(
        x + 30, y + 24, "corner, joined to all corners", size=12, fill=FAINT, anchor="start"
    )
    canvas.text(x + 11, y + 48, "×4", size=14, fill="#6d6450", weight="bold")
    canvas.text(x + 30, y + 48, "multiplier; dolmens from top to bottom", size=12, fill=FAINT,
                anchor="start")  # fmt: skip
