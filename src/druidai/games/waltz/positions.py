"""Positions of Druidenwalzer as people write them: docs/positions.md.

A view has one thing that nobody sees at a table: which unseen cards are of which lot. Where it is
not told, the unseen cards are shared out among the lots as evenly as their sizes say.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from druidai.positions.fields import Node, position_error, shared_out

if TYPE_CHECKING:
    from druidai._core import Game

KINDS = tuple(f"{value}{arrow}" for value in range(1, 6) for arrow in "LR")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")

MOST_RENEWALS = 20000  # at the end of the longest game; the native reader knows better

LISTS = ("cult", "cards", "hand")
OPTIONAL = ("phase", "turns", "sides[].cult", "sides[].renewals", "sides[].hand_lots",
            "sides[].unseen", "sides[].trees[].tokens", "sides[].trees[].druid",
            "options", "players", "player")  # fmt: skip
COMMENTS = {
    "seat": "whose knowledge this is: 0 Moon, 1 Sun",
    "player": "who decides; left out: the seat",
    "phase": "choose, druids, turn, fights or over; left out: turn",
    "turns": "completed turns of both; matters only near the turn cap",
    "sides": "first Moon, then Sun",
    "sides[].cult": "on the cult board",
    "sides[].hand": "cards, or how many if unknown",
    "sides[].draw": "cards in the draw pile",
    "sides[].renewals": "how often the draw pile was made anew",
    "sides[].trees": "trees 1-4; cards from the bottom to the top, ? face down",
    "sides[].unseen": "unseen cards of each lot; left out: shared out evenly",
}


def complete(node: Node, game: Game) -> dict[str, Any]:
    """The fields as the native reader wants them."""
    out = node.fields()
    seat = node.get("seat").integer(0, 1)
    out.setdefault("phase", "turn")
    if out["phase"] != "over":
        out.setdefault("player", seat)
    player = out.get("player")
    out.setdefault("turns", player if out["phase"] in ("turn", "fights") else 0)
    sides = [_side(side) for side in node.get("sides").elements(2)]
    out["sides"] = sides
    if out["phase"] == "fights":
        out.setdefault("began_empty", [])
    if not all("unseen" in side for side in sides):
        _check_hands(sides, seat)
        _add_unseen(sides, seat, game)
    return out


def _check_hands(sides: list[dict[str, Any]], seat: int) -> None:
    """A mistake here would look like cards that do not add up."""
    for player, side in enumerate(sides):
        for i, card in enumerate(side["hand"]):
            if (card == "?") != (player != seat):
                Node(card, f"sides[{player}].hand[{i}]").expected(
                    "a card: this hand is known"
                    if player == seat
                    else '"?": the seat cannot know this card'
                )


def _side(node: Node) -> dict[str, Any]:
    side = node.fields()
    side["cult"] = node.get_or("cult", []).cards()
    side["hand"] = node.get_or("hand", []).cards()
    side["trees"] = [_tree(tree) for tree in node.get("trees").elements(4)]
    side.setdefault("renewals", 0)
    return side


def _tree(node: Node) -> dict[str, Any]:
    tree = node.fields()
    if tree.get("lost") is True and not {"cards", "druid", "tokens"} & set(tree):
        return tree
    tree["cards"] = node.get_or("cards", []).cards()
    tree.setdefault("druid", "none")
    tree.setdefault("tokens", 0)
    return tree


# ---- Unseen cards ----


def deck(game: Game, player: int) -> Counter[str]:
    """The cards that a player begins with."""
    options = game.options
    cards: Counter[str] = Counter()
    for value, left in enumerate(options["left"], 1):
        cards[f"{value}L"], cards[f"{value}R"] = left, 6 - left
    cards.subtract(options["handicap"][player])
    return cards


def _add_unseen(sides: list[dict[str, Any]], seat: int, game: Game) -> None:
    decks = [deck(game, player) for player in (0, 1)]
    back = 2 if game.options["renew"] == "at_once" else 1  # how old a hand card can be, in lots
    hand_lots = [_hand_lots(side, player, back) for player, side in enumerate(sides)]

    def lots_of(player: int) -> list[tuple[int, str, int]]:
        hidden = hand_lots[player] if player != seat else []
        return [(player, *lot) for lot in _lots(sides[player], player, hidden)]

    left = _without_known(sides, decks[0] + decks[1])
    lots: list[tuple[int, str, int]] = []  # side, name, size
    for player, side in enumerate(sides):
        if "unseen" not in side and "draw" in side:
            lots += lots_of(player)
    unknown_draws = [player for player, side in enumerate(sides) if "draw" not in side]
    if len(unknown_draws) == 1 and "unseen" not in sides[unknown_draws[0]]:
        # One draw pile may be left out: it has what is left.
        player = unknown_draws[0]
        sides[player]["draw"] = 0
        without = lots_of(player)
        rest = sum(left.values()) - sum(size for *_, size in lots + without)
        if rest < 0:
            _does_not_add_up(f"sides[{player}].draw", left, lots + without)
        sides[player]["draw"] = rest
        lots += lots_of(player)
    elif unknown_draws:
        raise position_error(f"sides[{unknown_draws[0]}].draw", "this field is missing")
    if sum(left.values()) != sum(size for *_, size in lots):
        player = next(player for player, side in enumerate(sides) if "unseen" not in side)
        _does_not_add_up(f"sides[{player}].draw", left, lots)
    own = zip(sides[seat]["hand"], hand_lots[seat], strict=True)
    decks[seat] -= Counter(card for card, lot in own if lot == 0)
    most = [decks[player] if name == "0" else None for player, name, _ in lots]
    shared = shared_out(left, [size for *_, size in lots], most)
    if shared is None:
        raise position_error(
            "sides", "the unseen cards do not fit: a player's face-down cards are of the own deck"
        )
    for player, side in enumerate(sides):
        if "unseen" not in side:
            side["unseen"] = {
                name: cards
                for (owner, name, _), cards in zip(lots, shared, strict=True)
                if owner == player and cards
            }


def _does_not_add_up(field: str, left: Counter[str], lots: list[tuple[int, str, int]]) -> None:
    room = sum(size for *_, size in lots)
    raise position_error(
        field,
        f"the cards do not add up: {sum(left.values())} cards are not to be seen, but face-down "
        f"cards, draw piles and hidden hands have {room}",
    )


def _without_known(sides: list[dict[str, Any]], cards: Counter[str]) -> Counter[str]:
    """The cards less those that are known; a card that cannot exist is named where it stands."""
    left, all_cards = Counter(cards), Counter(cards)

    def take(card: object, path: str, n: int = 1) -> None:
        if not isinstance(card, str) or card not in KINDS:
            found = f'"{card}"' if isinstance(card, str) else repr(card)
            raise position_error(
                path, f"expected a card such as 3L (value 1-5, arrow L or R), found {found}"
            )
        left[card] -= n
        if left[card] < 0:
            which = ORDINALS[all_cards[card]] if all_cards[card] < len(ORDINALS) else "further"
            raise position_error(
                path, f"a {which} {card} cannot exist: the game has {all_cards[card]} of them"
            )

    for player, side in enumerate(sides):
        at = f"sides[{player}]"
        for i, card in enumerate(side["cult"]):
            take(card, f"{at}.cult[{i}]")
        for number, tree in enumerate(side["trees"]):
            for i, card in enumerate(tree.get("cards", [])):
                if card != "?":
                    take(card, f"{at}.trees[{number}].cards[{i}]")
        for i, card in enumerate(side["hand"]):
            if card != "?":
                take(card, f"{at}.hand[{i}]")
        if "unseen" in side:
            unseen = Node(side["unseen"], f"{at}.unseen")
            for name in unseen.fields():
                for card in unseen.get(name).fields():
                    count = unseen.get(name).get(card)
                    take(card, count.path, count.integer(0, 60))
    return left


def _hand_lots(side: dict[str, Any], player: int, back: int) -> list[int]:
    """The lot of each hand card."""
    at = f"sides[{player}]"
    renewals = Node(side["renewals"], f"{at}.renewals").integer(0, MOST_RENEWALS)
    hand = len(side["hand"])
    lots = Node(side.get("hand_lots", [renewals] * hand), f"{at}.hand_lots").elements(hand)
    return [lot.integer(max(0, renewals - back), renewals) for lot in lots]


def _lots(side: dict[str, Any], player: int, hidden: list[int]) -> list[tuple[str, int]]:
    """The lots of a side with the number of their unseen cards; `hidden` are those of its hand."""
    sizes: Counter[int] = Counter(hidden)
    sizes[0] += sum(tree.get("cards", []).count("?") for tree in side["trees"])
    sizes[side["renewals"]] += Node(side["draw"], f"sides[{player}].draw").integer(0, 60)
    return [(str(lot), size) for lot, size in sorted(sizes.items()) if size]
