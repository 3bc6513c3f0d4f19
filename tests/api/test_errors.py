"""What msgspec finds is told in parts: the path of the field, and what is wrong there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from druidai.errors import fault


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    size: Annotated[int, msgspec.Meta(ge=1)]
    kind: Literal["a", "b"] = "a"


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    inner: Inner | None = None
    many: list[Inner] = []
    named: dict[str, Inner] = {}


FAULTS: dict[str, tuple[Any, str, str]] = {
    "no object": ([], "", "expected `object`, got `array`"),
    "missing": ({"inner": {}}, "inner.size", "this field is missing"),
    "missing in a list": ({"many": [{"size": 1}, {}]}, "many[1].size", "this field is missing"),
    "unknown": ({"more": 1}, "more", "unknown field"),
    "unknown below": ({"inner": {"size": 1, "x": 1}}, "inner.x", "unknown field"),
    "unknown without a name": ({"": 1}, "", "unknown field"),
    "in a named one": ({"named": {"q": {"size": "1"}}}, "named.size", "expected `int`, got `str`"),
    "out of range": ({"inner": {"size": 0}}, "inner.size", "expected `int` >= 1"),
    "a word": ({"inner": {"size": 1, "kind": "c"}}, "inner.kind", "invalid enum value 'c'"),
    "a word like a path": (
        {"inner": {"size": 1, "kind": "c` - at `$.x"}},
        "inner.kind",
        "invalid enum value 'c` - at `$.x'",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_names_its_field(name: str) -> None:
    given, field, message = FAULTS[name]
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(given, Outer)
    found = fault(caught.value)
    assert (found.field, found.message) == (field, message)


def test_a_key_of_an_object_is_found_at_the_object() -> None:
    class Numbered(msgspec.Struct):
        places: dict[int, str]

    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b'{"places": {"x": "y"}}', type=Numbered)
    assert fault(caught.value).field == "places"
