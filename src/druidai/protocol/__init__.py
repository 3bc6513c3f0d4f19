"""druidai inside other programs: the line protocol of docs/protocol.md, its engine and its clients.

>>> from druidai.protocol import Client
>>> with Client() as client:
...     client.hello().protocol
1
"""

from druidai.protocol.client import AsyncClient, Call, Client, ProtocolError
from druidai.protocol.engine import Engine
from druidai.protocol.messages import PROTOCOL, schema
from druidai.protocol.serve import serve
from druidai.protocol.service import Service
from druidai.protocol.session import Session
from druidai.protocol.transport import EngineGoneError, Program, Transport

__all__ = [
    "PROTOCOL",
    "AsyncClient",
    "Call",
    "Client",
    "Engine",
    "EngineGoneError",
    "Program",
    "ProtocolError",
    "Service",
    "Session",
    "Transport",
    "schema",
    "serve",
]
