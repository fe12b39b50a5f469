"""The interface of a rule system."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct

from affray.engine.errors import Unusable
from affray.events import UNREADABLE, Clause, Declared

from .actions import Action, Ruling
from .catalogue import ClauseText, catalogue
from .flow import Flow
from .groups import BoardRules, CorrectionRules, EncounterRules, FighterPolicy, Presentation, TurnRules
from .marks import Marks
from .vocabulary import Vocabulary, vocabulary_of


class Renamed(NamedTuple):
    """A ruling that had another name in earlier versions, with the same fields.

    Attributes:
        name: Its present name.
        versions: The versions that used the other name.
    """

    name: str
    versions: tuple[str, ...]


class Ruleset(Struct, frozen=True, kw_only=True, eq=False):
    """A rule system.

    Its name, folder, flow, actions and encounters are required; all else has a default, in the module of its group.
    No rule depends on its fighter and its presentation: they are no part of the digest of the rules.

    Attributes:
        name: Its key everywhere, which is also its folder's name.
        title: Its real name.
        version: The version of its rules; recorded in every log.
        first_format: The log format in which this version was first recorded. An audit reports the version in logs of
            earlier formats.
        package: The import name of the folder with its clauses, its vocabulary and its data.
        flow: Its phases.
        config: The struct of its configuration, with a default for every key.
        actions, rulings: The structs of its actions and rulings, by kind.
        renamed: The earlier meaning of each ruling name that had one; recorded rulings keep it.
        encounters: The rules that set up a fight, and that carry state to the next one.
        turns: The rules for turns, interruptions, and the end of an action.
        corrections: The rules that follow the game master's rulings.
        board: The map, and distances on it.
        fighter: The choices of a sensible combatant.
        presentation: Previews and other computed facts for people.
        marks: Its kinds of marks, by their keys.
    """

    name: str
    package: str
    flow: Flow
    actions: Mapping[str, type[Action]]
    encounters: EncounterRules
    title: str = ""
    version: str = "1"
    first_format: int = 1
    config: type[Struct] = Struct
    rulings: Mapping[str, type[Ruling]] = MappingProxyType({})
    renamed: Mapping[str, Renamed] = MappingProxyType({})
    turns: TurnRules = TurnRules()
    corrections: CorrectionRules = CorrectionRules()
    board: BoardRules = BoardRules()
    fighter: FighterPolicy = FighterPolicy()
    presentation: Presentation = Presentation()
    marks: Marks = MappingProxyType({})

    @property
    def clauses(self) -> Mapping[Clause, ClauseText]:
        """The catalogue, in the order of ``clauses.toml``."""
        return catalogue(self.package)

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words, merged with those that all systems share."""
        return vocabulary_of(self.package)

    @property
    def margins(self) -> frozenset[str]:
        """The sources of numbers that mean the margin of a roll."""
        return _list_margins(self)

    @property
    def plain_sources(self) -> frozenset[str]:
        """The sources that are words of the rules, even if a combatant has the same name."""
        return _list_plain_sources(self)

    def action(self, kind: str, params: Raw | bytes) -> Action:
        """Decode a declaration's parameters.

        Raises:
            Unusable: there is no such action, or its parameters are malformed.
        """
        return _decode_kind(self.actions, kind, params, f"{self.name} has no action {kind}")

    def decode_declaration(self, intent: Declared) -> Action:
        """Decode the action of a declaration.

        Raises:
            Refused: there is no such action.
            Unusable: its parameters are malformed, or actions cannot be declared in that manner.
        """
        form = self.actions.get(intent.kind)
        if form is None:
            raise self.turns.refuse_unknown(intent.kind)
        action = _decode_params(form, intent.params)
        if intent.manner not in self.turns.declarable:
            self.check_manner(intent.manner)
        return action

    def check_manner(self, manner: str) -> None:
        """Refuse a manner that declarations cannot have.

        Raises:
            Unusable: it is such a manner.
        """
        if manner not in self.turns.declarable:
            ways = " or ".join(self.turns.declarable)
            raise Unusable(f"an action cannot be declared as {manner}; it is {ways}", "manner")

    def ruling(self, kind: str, params: Raw | bytes) -> Ruling:
        """Decode a ruling's parameters.

        Raises:
            Unusable: there is no such ruling, or its parameters are malformed.
        """
        return _decode_kind(self.rulings, kind, params, f"{self.name} has no ruling {kind}")


@cache
def _list_margins(ruleset: Ruleset) -> frozenset[str]:
    return frozenset(name for name, number in ruleset.vocabulary.numbers.items() if number.margin)


@cache
def _list_plain_sources(ruleset: Ruleset) -> frozenset[str]:
    return frozenset({*ruleset.vocabulary.numbers, *ruleset.vocabulary.sources})


S = TypeVar("S", Action, Ruling)


def _decode_kind(kinds: Mapping[str, type[S]], kind: str, params: Raw | bytes, unknown: str) -> S:
    if kind not in kinds:
        raise Unusable(f"{unknown}; there are {', '.join(sorted(kinds))}", "kind")
    return _decode_params(kinds[kind], params)


def _decode_params(form: type[S], params: Raw | bytes) -> S:
    try:
        return _decoder(form).decode(params)  # type: ignore[no-any-return]
    except UNREADABLE as error:
        raise Unusable(f"{form.kind}: {error}", "params") from None


@cache
def _decoder(type_: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_)


def by_kind(*types: type[S]) -> dict[str, type[S]]:
    """Return actions or rulings by the kind they are recorded under."""
    return {type_.kind: type_ for type_ in types}


def config_of(ruleset: Ruleset, values: object) -> Any:
    """Convert configuration values to the ruleset's struct, with its defaults.

    Raises:
        Unusable: a key is unknown, or a value is of the wrong kind or out of range.
    """
    try:
        return msgspec.convert(values, ruleset.config)
    except msgspec.ValidationError as error:
        raise Unusable(str(error), "config") from None
