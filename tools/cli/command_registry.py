"""Registry of all commands: group, module, and one line of help for each."""

from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """A command: the module that is imported to run it, and its line of help."""

    module: str
    says: str


GROUPS: Mapping[str, Mapping[str, Entry]] = {
    "Run a fight": {
        "new": Entry("cli.commands.new", "Open a fight from an encounter file, or write such a file."),
        "party": Entry("cli.commands.party", "Keep a party: join it to encounters, take what fights cost."),
        "play": Entry("cli.commands.play", "Run a fight as a conversation: type help."),
        "show": Entry("cli.commands.show", "Show the state: turn, combatants, board, open questions."),
        "apart": Entry("cli.commands.show", "Show the distances of a combatant."),
        "legal": Entry("cli.commands.show", "Tell who may do what now, and why not."),
        "do": Entry("cli.commands.act", "Declare an action."),
        "answer": Entry("cli.commands.act", "Answer what is asked, or pass."),
        "roll": Entry("cli.commands.act", "Enter the faces of the dice that are awaited."),
        "rule": Entry("cli.commands.act", "Decide something as game master."),
        "join": Entry("cli.commands.join", "Bring the combatants of a file into a fight."),
        "stand": Entry("cli.commands.act", "Let windows go by until further notice."),
        "undo": Entry("cli.commands.act", "Take back the last command; it stays in the record."),
        "redo": Entry("cli.commands.act", "Bring back what was taken back last."),
    },
    "Look at a fight": {
        "log": Entry("cli.commands.log", "Tell a fight in sentences, by rounds and turns."),
        "replay": Entry("cli.commands.replay", "Replay a recorded fight from its log alone."),
        "explain": Entry("cli.commands.explain", "Say why an event is what it is, or why not."),
        "export": Entry("lab.export", "Write a battle report, or a table of events or rolls."),
    },
    "Settle a dispute": {
        "audit": Entry("cli.commands.audit", "Prove record, dice and rules from the log alone."),
        "stats": Entry("lab.stats", "Say whether dice fell as fair dice fall, and count them."),
        "amend": Entry("cli.commands.amend", "Correct or retract one earlier command."),
        "stir": Entry("cli.commands.act", "Stir words of your own into the dice."),
        "close": Entry("cli.commands.act", "End the record and reveal the dice seed."),
        "key": Entry("cli.commands.checkpoint", "Make a key for signing checkpoints."),
        "checkpoint": Entry("cli.commands.checkpoint", "Sign the head of a log."),
    },
    "Foresee and compare": {
        "balance": Entry("lab.balance.balance", "Say how an encounter is going to go."),
        "odds": Entry("lab.odds.odds", "Say who is going to win, and which declaration is best."),
        "luck": Entry("lab.luck.luck", "Say what the dice were worth, and what the decisions."),
        "fork": Entry("cli.commands.fork", "Fork a fight at any point into a separate fight."),
        "compare": Entry("cli.commands.compare", "Say where two fights or lanes part, and how they differ."),
        "regress": Entry("cli.commands.regress", "Decide recorded fights again under other rules."),
    },
    "Rules": {
        "rules": Entry("cli.commands.reference", "Print a rule system's clauses, check it, or write its book."),
        "new-system": Entry("cli.commands.new_system", "Write a small rule system, to make your own from."),
        "tables": Entry("cli.commands.tables", "Print what an encounter can name: blocks, weapons, skills."),
        "scenario": Entry("cli.commands.scenario", "Run rule scenarios and say which of them hold."),
        "diagram": Entry("cli.commands.reference", "Draw a rule system's phases as a Mermaid state diagram."),
        "schema": Entry("cli.commands.reference", "Print the JSON Schema of a log's line."),
    },
    "Browsers and other programs": {
        "serve": Entry("server.serve", "Serve fights to browsers and programs."),
        "pipe": Entry("pipe.pipe", "Serve fights over standard input and output."),
    },
    "This program": {
        "demo": Entry("cli.commands.demo", "Play a whole fight before your eyes, and replay its record."),
        "completion": Entry("cli.commands.completion", "Print what lets your shell complete words with Tab."),
        "bench": Entry("lab.bench.bench", "Measure this machine."),
    },
}

COMMANDS: Mapping[str, Entry] = {name: entry for group in GROUPS.values() for name, entry in group.items()}
