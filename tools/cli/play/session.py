"""A conversation about one fight: its input, its output and its commands."""

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from secrets import token_hex
from textwrap import wrap

from msgspec.structs import replace
from rich.console import Console

from affray.engine.analysis.policies import Policy
from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.analysis.stalemate import StalemateDetector
from affray.engine.commands import AnswerUndo, Command, Outcome, Redo, Undo
from affray.engine.errors import EngineError, NoSuch
from affray.events import Declared, Event, Passed
from affray.tools.api.authors import plays
from affray.tools.api.auto_pass import let_pass, sent_for_others
from affray.tools.api.auto_play import QUICK, next_of
from affray.tools.api.store_url import StorePlace, open_at
from affray.tools.cli.commands.log import print_line
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.render_state import picture
from affray.tools.cli.terminal import join_pieces
from affray.tools.parse.faults import Faulty, fault_of
from affray.tools.present.awaited import awaited_in
from affray.tools.present.fault_text import lines_of
from affray.tools.present.names import list_typed_fields
from affray.tools.present.readers import who_reads
from affray.tools.present.story.narration import tell_story
from affray.tools.present.story.questions import still_asked
from affray.tools.present.story.sentences import option_said
from affray.tools.present.story.words import names_of
from affray.tools.present.typed_choices import suggest_declarations, type_declaration
from affray.tools.present.waiting_text import waiting_line

from .auto import MOST_AUTO, STALEMATE

UNBROKEN = "\u00a0"
"""A space at which no line is wrapped."""


class Session:
    """A conversation about one fight.

    Attributes:
        refusal: The last refusal, for ``why``.
        offered: The declarations that were numbered last.
        over: Whether the user has ended the conversation.
    """

    def __init__(self, place: StorePlace, who: str, screen: Console, *, as_json: bool = False) -> None:
        self.place = place
        self.fight = open_at(place)
        self.who = who
        self.screen = screen
        self.as_json = as_json
        self.refusal: EngineError | None = None
        self.offered: list[Declared] = []
        self.over = False
        self._autos: dict[str, Policy] = {}

    def submit(self, intent: Event | Undo | AnswerUndo | Redo) -> Outcome:
        """Carry out a command, and print the events that it recorded."""
        if isinstance(intent, Undo) and intent.to is None:  # including the automatic passes after it
            intent = replace(intent, commands=intent.commands + sent_for_others(self.fight.history))
        knows = plays(self.fight.state, self.who, intent)
        command = Command(id=token_hex(8), who=self.who, intent=intent, expected=self.fight.head, knows=knows)
        with delay_interrupt():
            outcome = self.fight.submit(command)
        if self.as_json:
            say_json({"head": self.fight.head, "events": outcome.recorded, "waiting": awaited_in(self.fight)})
            return outcome
        known = self.fight.history.recorded
        for told in tell_story(outcome.recorded, names_of(known), known[: outcome.recorded[0].position - 1]):
            print_line(self.screen, told)
        if readers := who_reads(self.fight, outcome.recorded):
            self.say(readers)
        self._pass_over(intent)
        return outcome

    def _pass_over(self, intent: Event | Undo | AnswerUndo | Redo) -> None:
        """Pass for combatants without a worthwhile action, but not after an undo."""
        passed = isinstance(intent, Passed) and intent.why
        if not passed and not isinstance(intent, Undo | AnswerUndo | Redo):
            let_pass(self.fight, self.submit)

    def leave_to(self, autos: Iterable[str]) -> None:
        """Let the engine play sides, each written as ``SIDE`` or ``SIDE=POLICY``.

        Raises:
            NoSuch: the side or the policy does not exist.
        """
        sides = {one.side for one in self.fight.state.combatants.values()}
        for said in autos:
            side, _, policy = said.partition("=")
            if side not in sides:
                raise NoSuch("side", side, sorted(sides), "--auto")
            if policy and policy not in POLICIES:
                raise NoSuch("policy", policy, POLICIES, "--auto")
            self._autos[side] = POLICIES[policy or QUICK]

    def play_on(self) -> None:
        """Let the sides that the engine plays act as long as one of them can."""
        chance, stalemate = self._beginning()
        while not stalemate.is_reached and any(
            self._play_side(side, policy, MOST_AUTO, chance, stalemate) for side, policy in self._autos.items()
        ):
            pass

    def let_play(self, side: str | None, policy: Policy, many: int) -> int:
        """Let the engine play a side; return the number of commands it carried out."""
        return self._play_side(side, policy, many, *self._beginning())

    def _beginning(self) -> tuple[Random, StalemateDetector]:
        """Return a new random generator and a new detector of stalemates."""
        chance = Random(self.fight.head)
        return chance, StalemateDetector(self.fight.ruleset, chance)

    def _play_side(
        self, side: str | None, policy: Policy, many: int, chance: Random, stalemate: StalemateDetector
    ) -> int:
        """Let the engine play a side until it cannot act, or until a stalemate."""
        for nth in range(many):
            intent, side = next_of(self.fight, side, policy, chance)
            if intent is None or stalemate.is_reached:
                return nth
            outcome = self.submit(intent)
            if stalemate.observe(self.fight.table, [one.event for one in outcome.recorded]):
                self.say(STALEMATE)
        return many

    def reopen(self) -> None:
        """Load the fight again, after another program has written to it."""
        self.fight = open_at(self.place)
        self.say("It was read again; this is how it stands:")
        self.show()

    def listen(self, prompt: str) -> str | None:
        """Return the next line, or None at the end of input. JSON mode has no prompt."""
        return prompt_line("" if self.as_json else prompt)

    def show(self) -> None:
        """Print the whole state."""
        if self.as_json:
            say_json({"head": self.fight.head, "state": self.fight.state})
        else:
            self.screen.print(picture(self.fight, self.fight.ruleset, waiting=False))
            self.screen.print()

    def say(self, *lines: str, style: str = "") -> None:
        """Print lines, or one JSON object with them."""
        if self.as_json:
            say_json({"said": "\n".join(lines)})
        else:
            for line in lines:
                self.screen.print(join_pieces(line, style=style), soft_wrap=True)

    def complain(self, error: EngineError | Faulty) -> None:
        """Print an error."""
        fault = fault_of(error)
        if self.as_json:
            say_json({"error": fault})
        else:
            for line in lines_of(fault):
                self.say(line, style="red")

    @property
    def mark(self) -> str:
        """The mark before the number of a choice: a dot in a fight with entered dice, where a number is a face."""
        state = self.fight.state
        return "." if "entered" in (*state.dice_sources.values(), *state.side_dice.values()) else ""

    def prompt(self) -> None:
        """Print what the fight waits for, and the suggestions with numbers."""
        self.offered = []
        if self.as_json:
            return
        self.say(waiting_line(self.fight), style="bold yellow")
        question = self.fight.state.question
        if question is not None:
            words = self.fight.ruleset.vocabulary
            for nth, option in enumerate(question.options, 1):
                asked = still_asked(option, self.fight.state.combatants, words)
                fields = "".join(f" {one}" for one in list_typed_fields(asked))
                self.say(f"  {self.mark}{nth} {option.choice}{fields} – {option_said(option)}")
        else:
            self.offered = suggest_declarations(self.fight)
            lines = [
                f"{self.mark}{nth} {type_declaration(self.fight, one).line}" for nth, one in enumerate(self.offered, 1)
            ]
            for line in beside(lines, self.screen.width):
                self.say(line, style="dim")


def beside(items: Iterable[str], width: int) -> list[str]:
    """Lay out items side by side in lines, without a line break within an item."""
    whole = "   ".join(one.replace(" ", UNBROKEN) for one in items)
    lines = wrap(
        whole, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(UNBROKEN, " ") for line in lines]


def prompt_line(prompt: str) -> str | None:
    """Return the next line of input, or None at the end of input."""
    try:
        line = input(prompt).removeprefix("\ufeff")  # some shells pipe a byte order mark first
    except EOFError:
        if prompt:
            say()
        return None
    if prompt and not sys.stdin.isatty():
        say(line)
    return line


@contextmanager
def delay_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until this is left, so that a command is recorded whole."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
