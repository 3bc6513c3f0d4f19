"""The shipped JSON Schema is that of the types, and real lines fit it."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import jsonschema
import pytest

from druidai.protocol import messages, schema
from tests.played import EVERY

from .inside import Inside, run, view_after
from .test_engine import BAD


def shipped() -> str:
    return (resources.files("druidai") / "data" / "protocol.schema.json").read_text()


def validator(kind: str) -> jsonschema.Draft202012Validator:
    whole = schema()
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": whole["$defs"]})


def test_the_shipped_schema_is_up_to_date() -> None:
    assert shipped() == messages.schema_text(), (
        "run: druidai engine --schema > src/druidai/data/protocol.schema.json"
    )


def test_the_command_prints_the_shipped_schema() -> None:
    assert run("", "--schema").stdout.decode() == shipped()


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_real_lines_fit() -> None:
    request, answer, error = validator("Request"), validator("Answer"), validator("Error")
    inside = Inside()

    def send(**fields: Any) -> None:
        request.validate(fields)
        inside.receive(json.dumps(fields))

    send(id=1, request="hello", protocol=1)
    send(id=2, request="games")
    send(id=3, request="new", game="waltz", seed=1, game_id="G")
    send(id=4, request="play", game_id="G", action="choose 1L", seat=0)
    send(id=5, request="view", game_id="G", open=True, draw="text")
    limit = {"iterations": 10, "seconds": 5, "bytes": 10**6}
    for name, players in EVERY:
        view = json.loads(view_after(name, players, 5).to_json())
        send(id=f"{name} {players} a", request="legal", view=view)
        send(id=f"{name} {players} b", request="view", view=view)
        send(id=f"{name} {players} c", request="choose", view=view, limit=limit)
        send(id=f"{name} {players} d", request="analyse", view=view, limit=limit, top=2)
    send(id=6, request="analyse", game_id="G", report_every=0.01)
    assert inside.first(6)["partial"]
    send(id=7, request="stop")
    send(id=8, request="quit")
    assert len({line["id"] for line in inside.answers}) == 8 + 4 * len(EVERY)
    for line in inside.answers:
        answer.validate(line)
        assert not error.is_valid(line)


@pytest.mark.parametrize(
    "line",
    [bad[0] for bad in BAD[1:] if bad[2] in ("unknown field", "this field is missing")],
)
def test_lines_of_another_shape_do_not_fit(line: str) -> None:
    assert not validator("Request").is_valid(json.loads(line))


def test_errors_fit() -> None:
    inside = Inside()
    for line, _, _ in BAD[1:]:
        inside.receive(line)
    assert len(inside.answers) == len(BAD) - 1
    for answer in inside.answers:
        if "error" in answer:
            validator("Error").validate(answer)
    inside.engine.quit()
