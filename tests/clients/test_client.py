"""The JavaScript client and a server: commands that survive a double click, a feed that survives a lost connection."""

from __future__ import annotations

from tests.clients.node import run_node


def test_the_client_against_a_server_at_its_worst() -> None:
    """Every test of ``client.test.mjs``, in one process."""
    ran = run_node("--test", "client.test.mjs")
    assert ran.code == 0, ran.out + ran.err
    assert "\n# fail 0\n" in ran.out
    assert "\n# pass 20\n" in ran.out
