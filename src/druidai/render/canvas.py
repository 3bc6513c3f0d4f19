"""A small SVG canvas: shapes in drawing order, text escaped, numbers short.

>>> canvas = Canvas(100, 40)
>>> canvas.circle(50, 20, 2.5, fill="#000000")
>>> print(canvas.render().splitlines()[-2])
<circle cx="50" cy="20" r="2.5" fill="#000000"/>
"""

from __future__ import annotations

from html import escape

INK = "#2b2a28"
PAPER = "#f6f1e4"
FAINT = "#8d8676"
LINE = "#cfc5ad"
CARD = "#fffdf7"
BACK = "#7d6b8f"

# Players 0-3: distinct for colour-blind readers too (Okabe, Ito).
PLAYER_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b8529b")


def number(value: float) -> str:
    """A coordinate without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Canvas:
    """Collects shapes; `render` gives the whole picture."""

    def __init__(self, width: float, height: float, *, background: str = PAPER) -> None:
        self.width, self.height = width, height
        self._parts: list[str] = []
        self.rect(0, 0, width, height, fill=background)

    def add(self, tag: str, content: str | None = None, **attributes: str | float | None) -> None:
        """One element. Underscores in names become hyphens; what is None is left out."""
        written = "".join(
            f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
            for name, value in attributes.items()
            if value is not None
        )
        end = "/>" if content is None else f">{escape(content, quote=False)}</{tag}>"
        self._parts.append(f"<{tag}{written}{end}")

    def rect(
        self, x: float, y: float, width: float, height: float, *, fill: str = "none",
        stroke: str | None = None, radius: float | None = None, stroke_width: float | None = None,
        dash: str | None = None, opacity: float | None = None,
    ) -> None:  # fmt: skip
        self.add("rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, stroke=stroke,
                 stroke_width=stroke_width, stroke_dasharray=dash, opacity=opacity)  # fmt: skip

    def circle(
        self, x: float, y: float, radius: float, *, fill: str = "none", stroke: str | None = None,
        stroke_width: float | None = None, opacity: float | None = None,
    ) -> None:  # fmt: skip
        self.add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke,
                 stroke_width=stroke_width, opacity=opacity)  # fmt: skip

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, stroke: str = INK,
        stroke_width: float = 1, dash: str | None = None,
    ) -> None:  # fmt: skip
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=stroke_width,
                 stroke_dasharray=dash)  # fmt: skip

    def polygon(
        self, points: list[tuple[float, float]], *, fill: str = "none", stroke: str | None = None,
        stroke_width: float | None = None, opacity: float | None = None,
    ) -> None:  # fmt: skip
        written = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.add("polygon", points=written, fill=fill, stroke=stroke, stroke_width=stroke_width,
                 opacity=opacity)  # fmt: skip

    def path(
        self, d: str, *, fill: str = "none", stroke: str | None = None,
        stroke_width: float | None = None,
    ) -> None:  # fmt: skip
        self.add("path", d=d, fill=fill, stroke=stroke, stroke_width=stroke_width)

    def text(
        self, x: float, y: float, content: str, *, size: float = 14, fill: str = INK,
        anchor: str = "middle", weight: str | None = None,
    ) -> None:  # fmt: skip
        self.add("text", content, x=x, y=y, font_size=size, fill=fill, text_anchor=anchor,
                 dominant_baseline="central", font_weight=weight)  # fmt: skip

    def put(self, other: Canvas, x: float, y: float) -> None:
        """Another picture, with its upper left corner at (x, y). What it has now is shown."""
        place = f'x="{number(x)}" y="{number(y)}" '
        self._parts += [f"<svg {place}{other._size()}>", *other._parts, "</svg>"]

    def render(self) -> str:
        """The whole picture, self-contained."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {self._size()} '
            'font-family="DejaVu Sans, Verdana, sans-serif">'
        )
        return "\n".join([head, *self._parts, "</svg>"])

    def _size(self) -> str:
        width, height = number(self.width), number(self.height)
        return f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)
