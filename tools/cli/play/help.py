"""Help of the conversation, with examples from the current fight."""

from collections.abc import Iterator

from affray.engine.commands import GM
from affray.engine.fight import Fight
from affray.tools.parse.intent_parser import manners
from affray.tools.present.typed_choices import suggest_declarations, type_declaration

from .completion_grammar import ruled_next

EXAMPLES = 3
"""Number of short forms that are shown."""

WIDTH = 100
"""Greatest width of a line of the help, in characters."""

SHORT = 3
"""Letters that abbreviate a name in examples, if that is unique."""


def help_lines(fight: Fight) -> list[str]:
    """Return the lines of the help, with an example of each command in this fight."""
    rows = [*_declaring(fight), *_answering(fight), *_ruling(fight), *ALWAYS]
    width = min(max(len(example) for example, _ in rows), WIDTH - 3 - max(len(what) for _, what in rows))
    letters = [f"{one.letter} {kind}" for kind, one in fight.ruleset.vocabulary.actions.items() if one.letter]
    short = [f"for short: {', '.join(letters)}"] if letters else []
    return [line for example, what in rows for line in _lay_out(example, what, width)] + short


def _lay_out(example: str, what: str, width: int) -> list[str]:
    """Return an example beside its description, or above it if it is wide."""
    beside = f"{example:{width}}   {what}"
    return [beside] if len(example) <= width else [example, f"{'':{width}}   {what}"]


ALWAYS = (
    ("undo [N] [fresh] [because …]", "take back a command, or N"),
    ("undo allow, undo decline", "answer what a player asked to take back"),
    ("redo [because …]", "bring back what was taken back"),
    ("auto [SIDE|all] [POLICY] [N]", "let the engine play"),
    ("legal or ?", "who may do what, and why not"),
    ("? rule, ? rule pool", "the rulings that make sense now; a ruling explained"),
    ("stand WHO never", "when a combatant is asked to respond; * for all"),
    ("apart WHO", "the distances of a combatant"),
    ("do WHO ACTION …", "for a combatant with such a name"),
    ("show, log, help, quit", "the picture, the story, this, leave"),
    ("why", "why the last command was refused"),
    ("Tab, arrow keys", "how a line may go on; earlier lines"),
)
"""Help that is the same in every fight: example and description."""


def _declaring(fight: Fight) -> Iterator[tuple[str, str]]:
    """Yield examples of a declaration: in full, in short, and in another manner."""
    said = [(type_declaration(fight, one), one.kind) for one in suggest_declarations(fight)]
    if not said:
        yield "?", "who may do what now, and why not the rest"
        return
    best = next((one for one, _ in said if one.choice), said[0][0])
    yield best.line, "an action; no name needed if one may act"
    short = list(dict.fromkeys(filter(None, (_short(fight, one.choice, kind) for one, kind in said))))
    if short:
        yield "   ".join(short[:EXAMPLES]), "the same in short"
    yield f"? {best.start}", "what may follow, and why not the rest"
    for word, manner in manners(fight.ruleset).items() if " " in best.start else ():
        who, _, what = best.line.partition(" ")
        yield (
            f"{who} {word} {what}",
            f"the same, {fight.ruleset.vocabulary.label('manners', manner)}",
        )


def _short(fight: Fight, choice: str, kind: str) -> str:
    """Return the shortest form of a declaration; empty if its action has no letter."""
    letter = fight.ruleset.vocabulary.actions[kind].letter
    begun = choice[:SHORT]
    only = sum(who.startswith(begun) for who in fight.state.combatants) == 1
    return " ".join(filter(None, (letter, begun if only else choice))) if letter else ""


def _answering(fight: Fight) -> Iterator[tuple[str, str]]:
    """Yield examples of an answer, a pass and a rolled die."""
    question, window = fight.state.question, fight.state.window
    if question is not None:
        named = " or ".join(one.choice for one in question.options)
        yield f"{named}, or 1 [because …]", "answers what is asked now"
    else:
        yield "yes, no, 1", "an answer, or a number that is shown"
    yield (
        f"pass{f' {window.to[0]}' if window is not None else ''}, pass *",
        "let a window go by, for one or all",
    )
    yield "14", "the face of a real die that is awaited"


def _ruling(fight: Fight) -> Iterator[tuple[str, str]]:
    """Yield an example of a ruling."""
    person = next((who for who in fight.state.combatants if who != GM), "")
    pools = fight.ruleset.vocabulary.pools
    own = fight.state.combatants[person].pools if person else ()
    pool = next((one for one in own if one in pools and pools[one].role == "health"), "")
    known = {one.word for one in ruled_next(fight, ())}
    if pool and "pool" in known:
        yield f"rule pool {person} {pool} by=-2 because …", "a ruling; ? rule lists those that make sense now"
    else:
        yield "rule", "lists what the game master can decide"
