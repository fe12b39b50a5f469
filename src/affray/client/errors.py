"""The errors of the client.

::

    ClientError
    ├── BadLink             the link does not name a server and a token
    ├── Unreachable         no answer came
    ├── UnreadableAnswer    what came is no answer of an Affray server
    │   └── RecordAltered   a line of the feed does not continue the hash chain
    └── RequestRefused      the server said no, and why
        ├── AccessDenied    the token is unknown, was revoked, or does not allow this
        └── FightMovedOn    another command came first; the problem has the present head
"""

from affray.tools.api.problem_details import Problem


class ClientError(Exception):
    """The base class of the client's errors."""


class BadLink(ClientError, ValueError):
    """The link does not name a server and a token."""


class Unreachable(ClientError):
    """No answer came, or only a part of it.

    Attributes:
        command: The id of the command whose outcome is unknown; empty if the request was no command. Sent again under
            this id, the command is carried out at most once.
    """

    def __init__(self, why: str, command: str = "") -> None:
        again = f"; it may be recorded: send it again under the id {command}" if command else ""
        super().__init__(why + again)
        self.why = why
        self.command = command


class UnreadableAnswer(ClientError):
    """An answer that does not have the form of an Affray server's, such as a page of a proxy."""


class RecordAltered(UnreadableAnswer):
    """A line that does not continue the hash chain: it was altered, or a line before it is missing.

    Attributes:
        position: The position of the line.
    """

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"the feed does not continue the record: {why}")
        self.position = position


class RequestRefused(ClientError):
    """The server refuses a request. Nothing has changed, except perhaps with ``unsure``.

    Attributes:
        problem: The reason: ``code``, ``detail``, ``rule``, ``field`` and so on.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail or problem.title)
        self.problem = problem


class AccessDenied(RequestRefused):
    """The token is unknown, was revoked, or does not allow the request."""


class FightMovedOn(RequestRefused):
    """The expected head is not the present one, which ``problem.head`` names."""


def refusal_of(problem: Problem) -> RequestRefused:
    """Return the error that fits a problem."""
    if problem.code == "out_of_date":
        return FightMovedOn(problem)
    return AccessDenied(problem) if problem.status in (401, 403) else RequestRefused(problem)
