"""Forks: a fight that starts as a copy of its parent's record up to a position."""

from msgspec import Struct
from msgspec.structs import replace

from affray.events import FORMAT, Forked, FormatRaised

from .clock import Clock, utc_now
from .commands import MANY
from .core.loading import load
from .errors import Unusable
from .fight import Fight
from .history.log import read_log
from .history.log_validation import must_be_possible
from .history.timeline import History
from .integrity.commitment import Promise, find_promise, seal_promise
from .limits import check_bounds
from .runtime.dice import check_seed
from .stores.protocol import Store
from .texts import check_word, normalize


class ForkRequest(Struct, frozen=True, kw_only=True):
    """The request for a fork.

    Attributes:
        parent: The fight it leaves.
        name: The name under which the store keeps it.
        at: The position of the fork, which ends a command; the head by default.
        who: Its sender.
        reason: The reason, in the sender's words.
    """

    parent: str
    name: str
    at: int | None = None
    who: str
    reason: str = ""


def fork_fight(wanted: ForkRequest, source: Store, target: Store, *, fresh: bytes, clock: Clock = utc_now) -> Fight:
    """Begin a fork of a recorded fight.

    Its dice fall under a new seed, so that it does not reveal the parent's dice. If the parent is closed, and its seed
    public, they go on under that one.

    Args:
        fresh: 32 secret bytes.

    Raises:
        Unusable: the position is none of the parent's, or in the middle of a command; or a text cannot be recorded.
        LogError: the parent's log is damaged, altered, or impossible.
        Diverged: the present rules decide unresolved commands there differently.
        StoreFailed: the fork could not be recorded; nothing was.
    """
    check_word(wanted.who, "who", most=MANY)
    wanted = replace(wanted, who=normalize(wanted.who))
    for field in ("parent", "name", "reason"):
        check_bounds(getattr(wanted, field), field)
    lines = source.read(wanted.parent)
    recorded = read_log(lines)
    must_be_possible(recorded)
    whole = History(recorded)
    last = whole.closed - 1 if whole.closed else whole.head
    at = last if wanted.at is None else wanted.at
    if not 1 <= at <= last:
        raise Unusable(f"must be from 1 to {last}", "at")
    if recorded[at - 1].more:
        raise Unusable(f"position {at} is in the middle of a command, which ends at {at + recorded[at - 1].more}", "at")
    history = History(recorded[:at])
    check_seed(fresh)
    promise = find_promise(history.recorded)
    seed = _public_seed(whole, promise) or (fresh if promise.commitment else None)
    forked = Forked(
        fight=wanted.name,
        parent=wanted.parent,
        position=at,
        commitment="" if seed is fresh else promise.commitment,
        reason=wanted.reason,
    )
    time = max(clock(), recorded[at - 1].time)
    added: list[bytes] = []
    for event in (FormatRaised(format=FORMAT), forked) if history.format != FORMAT else (forked,):
        sealed, line = seal_promise(
            fresh if event is forked and seed is fresh else None,
            [event],
            after=history.head,
            previous=history.head_hash,
            time=time,
            who=wanted.who,
            cause=history.free_command_id(f"{type(event).__name__}-{at}"),
            format=history.format,
        )
        history.add(sealed)
        added += line
    fight = Fight(wanted.name, load(history.opening.system), history, store=target, seed=seed, clock=clock)
    target.begin(wanted.name, [*lines[:at], *added], seed)
    return fight


def _public_seed(whole: History, promise: Promise) -> bytes | None:
    """Return the seed that a closed parent revealed, if it is the promised one."""
    revealed = getattr(whole.at(whole.closed).event, "seed", "") if whole.closed else ""
    public = bytes.fromhex(revealed)
    return public if revealed and promise.is_kept_by(public) else None
