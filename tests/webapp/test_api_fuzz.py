"""A fuzz over the API by its own description: whatever is sent, never an error of the server's."""

import json
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.conftest import FULL_MATRIX
from webapp.web.api import DESCRIPTION

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
BRIEFLY = settings(max_examples=60 if FULL_MATRIX else 15, suppress_health_check=list(HealthCheck))
OPERATIONS = [
    (path, method)
    for path, methods in json.loads(DESCRIPTION.read_text(encoding="utf-8"))["paths"].items()
    for method, described in methods.items()
    if "requestBody" in described  # the others take nothing to be wrong
]


@pytest.fixture
def described(app: Flask) -> schemathesis.BaseSchema:
    """The API as the server itself describes it."""

    def from_this_computer(environ: dict[str, Any], start_response: Any) -> Any:
        return app({**environ, "REMOTE_ADDR": "127.0.0.1"}, start_response)

    return schemathesis.openapi.from_wsgi("/api/openapi.json", from_this_computer)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_is_sent_is_answered_as_described(
    described: schemathesis.BaseSchema, path: str, method: str, mode: GenerationMode
) -> None:
    operation = described[path][method.upper()]

    @BRIEFLY
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: schemathesis.Case) -> None:
        case.validate_response(case.call(), checks=CHECKS)

    send()
