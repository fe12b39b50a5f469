"""What a conversation understands, with examples out of the fight that it is about."""

from collections.abc import Iterator

from affray.engine.fight import Fight
from affray.tools.speech import manners

from .choices import spoken, suggested


def help_lines(fight: Fight) -> Iterator[str]:
    """Yield what may be typed, in the words of the fight's rules."""
    example = next((f", such as: {spoken(fight, one).line}" for one in suggested(fight)), "")
    yield f"WHO ACTION [WHAT …]  what somebody does{example}"
    yield "  the name may be left out when only one may act; names and actions may be cut short"
    letters = [f"{one.letter} {kind}" for kind, one in fight.ruleset.vocabulary.actions.items() if one.letter]
    yield from (f"  for short: {', '.join(letters)}",) if letters else ()
    yield from (f"WHO {word} ACTION …  an action in another manner" for word in manners(fight.ruleset))
    yield "pass, pass all  let a window go by, or all of them"
    yield "yes, no, 1, or an option's name and NAME=VALUE  answer what is asked"
    yield "14  the face of a real die that is awaited; a suggestion's number otherwise"
    who, pool = next(iter(fight.state.combatants)), min(fight.ruleset.vocabulary.with_role("health"), default="")
    known = fight.state.combatants[who].pools
    ruled = f"pool {who} {pool} by=-2" if pool in known else f"note 'look at {who}'"
    yield f"rule {ruled} because …  decide as game master; rule lists what there is"
    yield "undo [N] [fresh] [because …], redo  take back, with fresh dice if wanted; bring again"
    yield "auto [SIDE|all] [POLICY] [N]  let the engine play a side, for N commands or while it is up"
    yield "do WHO ACTION …  the same for somebody who is called like one of these words"
    yield "show, log, why, help, quit"
    yield "legal or ?  who may do what, and why not; with WHO [ACTION] behind it what may follow"
