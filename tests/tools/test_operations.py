"""The table of operations: what each transport has, and why an operation is on one of them alone."""

from __future__ import annotations

import inspect

import msgspec
import pytest

from affray.tools.api.operations import OPERATIONS, Operation
from affray.tools.pipe import handlers
from affray.tools.server.app import ROUTES
from affray.tools.server.routing import routes_in, routes_of_reads


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda one: one.name)
def test_an_operation_is_on_both_transports_or_says_why_not(operation: Operation) -> None:
    assert operation.path or operation.request
    both = bool(operation.path and operation.request)
    assert operation.apart or (both and operation.asks is None)
    assert not operation.apart.endswith(".")


@pytest.mark.parametrize(
    "operation", [one for one in OPERATIONS.values() if one.run is not None], ids=lambda one: one.name
)
def test_a_read_takes_what_its_operation_says(operation: Operation) -> None:
    assert operation.run is not None
    parameters = inspect.signature(operation.run).parameters.keys() - {"viewer", "fight", "blind", "_"}
    assert parameters == {one.name for one in msgspec.structs.fields(operation.takes)}


def test_every_request_of_a_pipe_is_answered_by_one_function() -> None:
    """A pipe's own, or the operation's."""
    asked = {one.name: one for one in OPERATIONS.values() if one.request}
    assert handlers.HANDLERS.keys() <= asked.keys()
    assert all(one.run is not None for name, one in asked.items() if name not in handlers.HANDLERS)


def test_every_route_answers_what_its_operation_says() -> None:
    """In the words of Python: what it answers with as a file or a stream is sent in another form."""
    for handler in (*routes_of_reads(), *routes_in(*ROUTES)):
        operation = OPERATIONS.get(handler.handler_name)
        if operation is not None and not operation.media and operation.name != "tell_log_file":
            gives = inspect.signature(handler.fn).return_annotation
            assert gives == operation.gives, operation.name
