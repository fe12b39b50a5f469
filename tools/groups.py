"""Every command: in which group it is told of, which module of ours holds it, and what it does in a line."""

from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """A command: its module, which is imported when the command is asked for, and what it does."""

    module: str
    says: str


GROUPS: Mapping[str, Mapping[str, Entry]] = {
    "Run a fight": {
        "new": Entry("new", "Open a fight from an encounter file, or write such a file."),
        "party": Entry("party.party", "Keep a party: join it to encounters, take what fights cost."),
        "play": Entry("conversation.play", "Run a fight as a conversation: type help."),
        "show": Entry("show", "Show the state: whose turn, everybody, the board, what waits."),
        "apart": Entry("show", "Show how far somebody is from all others."),
        "legal": Entry("show", "Tell who may do what now, and why not."),
        "do": Entry("commands", "Declare an action."),
        "answer": Entry("commands", "Answer what is asked, or pass."),
        "roll": Entry("commands", "Enter the faces of the dice that are awaited."),
        "rule": Entry("commands", "Decide something as game master."),
        "join": Entry("join", "Bring the combatants of a file into a fight."),
        "stand": Entry("commands", "Let windows go by until further notice."),
        "undo": Entry("commands", "Take back the last command; it stays in the record."),
        "redo": Entry("commands", "Bring back what was taken back last."),
    },
    "Look at a fight": {
        "log": Entry("log", "Tell a fight in sentences, by rounds and turns."),
        "replay": Entry("replay", "Replay a recorded fight from its log alone."),
        "explain": Entry("explain", "Say why an event is what it is, or why not."),
        "export": Entry("exports.export", "Write a battle report, or a table of events or rolls."),
    },
    "Settle a dispute": {
        "audit": Entry("audit", "Prove record, dice and rules from the log alone."),
        "stats": Entry("stats", "Say whether dice fell as fair dice fall, and count them."),
        "amend": Entry("amend", "Correct or retract one earlier command."),
        "stir": Entry("commands", "Stir words of your own into the dice."),
        "close": Entry("commands", "End the record and reveal the dice seed."),
        "key": Entry("checkpoint", "Make a key for signing checkpoints."),
        "checkpoint": Entry("checkpoint", "Sign the head of a log."),
    },
    "Foresee and compare": {
        "balance": Entry("balance.balance", "Say how an encounter is going to go."),
        "odds": Entry("odds.odds", "Say who is going to win, and which declaration is best."),
        "luck": Entry("luck.luck", "Say what the dice were worth, and what the decisions."),
        "fork": Entry("fork", "Fork a fight at any point, as a fight of its own."),
        "compare": Entry("compare", "Say where two fights or lanes part, and how they differ."),
        "regress": Entry("regress", "Decide recorded fights again under other rules."),
    },
    "Rules": {
        "rules": Entry("reference", "Print a rule system's clauses, or write its book."),
        "tables": Entry("library.tables", "Print what an encounter can name: blocks, weapons, skills."),
        "scenario": Entry("scenarios.scenario", "Run rule scenarios and say which of them hold."),
        "diagram": Entry("reference", "Draw a rule system's phases as a Mermaid state diagram."),
        "schema": Entry("reference", "Print the JSON Schema of a log's line."),
    },
    "Browsers and other programs": {
        "serve": Entry("serve.serve", "Serve fights to browsers and programs."),
        "pipe": Entry("pipe.pipe", "Serve fights over standard input and output."),
    },
    "This program": {
        "demo": Entry("demo", "Play a whole fight before your eyes, and replay its record."),
        "completion": Entry("completion.completion", "Print what lets your shell complete words with Tab."),
        "bench": Entry("bench.bench", "Measure this machine."),
    },
}

COMMANDS: Mapping[str, Entry] = {name: entry for group in GROUPS.values() for name, entry in group.items()}
