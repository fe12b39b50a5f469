"""The rows of the matrix: which layer finds an edit, and where."""

from __future__ import annotations

from typing import Literal, NamedTuple

from affray.engine.integrity.audit import Layer


class Row(NamedTuple):
    """A row of the matrix.

    Attributes:
        layer: What finds the edit when the chain is recomputed; nothing where there is nothing to recompute, or that
            undoes the edit. It may be that nothing does, but that the audit says what it could not judge.
        where: At which position, in words.
        left: What finds it when the chain is left.
    """

    layer: Layer | Literal["incomplete"] | None
    where: str
    left: Layer | Literal["incomplete"] = "record"


THERE = "the edited line"
FIRST = "the first edited line"
DIFFERS = "the first line that reads otherwise"
FOLLOWS = "the first event that follows otherwise"
CALLED = "the edited line; the next where it is its command's first"
REWRITTEN = "the first rewritten line"
MISSING = "the first missing position"
THROW = "the first throw that falls otherwise"
SAID = "what could not be judged is said"
REVEAL = "where the seed is revealed"


ROWS: dict[str, Row] = {
    "struck out: a consequence": Row("rules", DIFFERS),
    "struck out: an input, what followed left": Row("record", THERE),
    "struck out: an input in an amendment, what followed left": Row("rules", THERE),
    "struck out: a one-line input in an amendment": Row("record", "the last input of its lane"),
    "struck out: the head of an amendment": Row("rules", FOLLOWS),
    "struck out: fresh dice": Row("record", DIFFERS),
    "struck out: fresh dice in an amendment": Row("rules", FOLLOWS),
    "struck out: words stirred in": Row("dice", THROW),
    "struck out: a command": Row("rules", FOLLOWS),
    "struck out: a command; a taking back fits no more": Row("record", FOLLOWS),
    "struck out: a command nothing rests on": Row("checkpoint", REWRITTEN),
    "doubled: a consequence": Row("rules", DIFFERS),
    "doubled: an input": Row("record", DIFFERS),
    "doubled: an input in an amendment": Row("rules", FOLLOWS),
    "swapped: two consequences": Row("rules", THERE),
    "swapped: an input and what followed": Row("record", THERE),
    "swapped: a consequence and the next input": Row("rules", THERE),
    "swapped: two inputs": Row("rules", FOLLOWS),
    "swapped: fresh dice and what is beside them": Row("record", THERE),
    "swapped: two commands": Row("rules", FOLLOWS),
    "swapped: two commands that do not touch each other": Row("checkpoint", REWRITTEN),
    "swapped: words stirred in": Row("dice", THROW),
    "joined: two commands": Row("record", "the second one's first line"),
    "split: a command": Row("record", "the second one's first line"),
    "forged: a consequence": Row("rules", THERE),
    "forged: a declaration": Row("rules", FOLLOWS),
    "forged: behind the end": Row("record", THERE),
    "cut off: whole commands": Row("checkpoint", MISSING, "checkpoint"),
    "cut off: within a command": Row("rules", MISSING),
    "cut off: within the opening": Row("checkpoint", REWRITTEN),
    "cut off: between two inputs of an amendment": Row("record", "the last input of its lane"),
    "cut off: fresh dice": Row("record", MISSING),
    "roll: a face": Row("dice", THERE),
    "roll: a face, total right": Row("dice", THERE),
    "roll: a die more": Row("rules", THERE),
    "roll: a die fewer": Row("rules", THERE),
    "roll: a face that lay there": Row("rules", THERE),
    "roll: a face that lay there, total right": Row("rules", THERE),
    "roll: an entered face, in the roll alone": Row("dice", THERE),
    "roll: an entered face, in the roll alone, total right": Row("dice", THERE),
    "roll: an entered face, as entered alone": Row("dice", "the roll that follows"),
    "roll: an entered face, in both": Row("rules", FOLLOWS),
    "roll: a modifier": Row("dice", THERE),
    "roll: a modifier, total right": Row("rules", THERE),
    "roll: its total": Row("dice", THERE),
    "roll: the number to reach": Row("rules", THERE),
    "roll: what else it says": Row("rules", THERE),
    "consequence: damage": Row("rules", THERE),
    "consequence: a pool": Row("rules", THERE),
    "consequence: a condition": Row("rules", THERE),
    "consequence: an item": Row("rules", THERE),
    "consequence: what is pending": Row("rules", THERE),
    "consequence: any other": Row("rules", THERE),
    "taken back: a consequence": Row("rules", THERE),
    "taken back: a face": Row("dice", THERE),
    "declared: target and the like": Row("rules", FOLLOWS),
    "declared: the target, pending as well": Row("rules", FOLLOWS),
    "declared: the actor": Row("rules", FOLLOWS),
    "declared: how": Row("rules", FOLLOWS),
    "answered: the choice": Row("rules", FOLLOWS),
    "answered: who and what": Row("rules", FOLLOWS),
    "passed, or when to ask": Row("rules", FOLLOWS),
    "ruled: what": Row("rules", FOLLOWS),
    "said: what nothing rests on": Row("checkpoint", REWRITTEN),
    "opening: who joins, and with what": Row("rules", FOLLOWS),
    "record: taken back or brought back": Row("record", THERE),
    "record: amended": Row("record", THERE),
    "record: whether fresh dice were asked for": Row("record", "the line behind the edited one"),
    "record: the count of fresh dice": Row("record", THERE),
    "record: the count of fresh dice in an amendment": Row("record", THERE),
    "record: how many commands were brought back": Row("checkpoint", REWRITTEN),
    "record: what an amendment dropped": Row("record", "the last input of its lane"),
    "record: of which position an amendment was looked at": Row("record", THERE),
    "record: which rolls were looked at": Row("dice", THERE),
    "record: which dice were looked at": Row("checkpoint", REWRITTEN),
    "record: a reason": Row("checkpoint", REWRITTEN),
    "dice: the seed": Row("dice", REVEAL),
    "dice: the commitment": Row("dice", REVEAL),
    "dice: seed and commitment": Row("dice", THROW),
    "dice: words stirred in": Row("dice", THROW),
    "time: of one line": Row("record", CALLED),
    "time: backwards": Row("record", FIRST),
    "time: of a command": Row("checkpoint", REWRITTEN),
    "author: of one line": Row("record", CALLED),
    "author: of a command": Row("checkpoint", REWRITTEN),
    "command id: of one line": Row("record", CALLED),
    "command id: of a command": Row("checkpoint", REWRITTEN),
    "count: of one line": Row("record", CALLED),
    "readers: of one line": Row("checkpoint", REWRITTEN),
    "salt: of one line": Row("checkpoint", REWRITTEN),
    "who may know the author: of one line": Row("record", CALLED),
    "who may know the author: of a command": Row("checkpoint", REWRITTEN),
    "mask: of one line": Row("record", CALLED),
    "mask: of a command": Row("checkpoint", REWRITTEN),
    "hash: of one line": Row(None, "which undoes the edit"),
    "opening: another system": Row("incomplete", SAID),
    "opening: another version": Row("incomplete", SAID),
    "opening: a setting that nobody knows": Row("incomplete", SAID),
    "opening: a setting left out": Row("rules", THERE),
    "opening: a later format": Row("incomplete", SAID, "incomplete"),
    "opening: an earlier format": Row("rules", THERE),
    "opening: the code of the rules, or the name": Row("checkpoint", REWRITTEN),
    "opening: what the promise covers": Row("dice", REVEAL),
    "opening: a format that has other dice": Row("dice", THERE),
    "format: raised to a later one": Row("incomplete", SAID),
    "format: raised to an earlier one, or none": Row("record", THERE),
    "rules: adopted in the version there was": Row("rules", THERE),
    "rules: adopted in a version that nobody knows": Row("incomplete", SAID),
    "fork: said of it, under a seed of one's own": Row("incomplete", SAID),
    "fork: said of it, under the seed there was": Row("incomplete", SAID),
    "fork: another position": Row("record", THERE),
    "fork: behind the end": Row("record", THERE),
    "dice: a generation of one's choice, in an amendment": Row("record", THERE),
    "key: another one": Row(None, "where the seed is promised", "dice"),
    "key: a part of it": Row(None, "where the seed is promised", "dice"),
    "key: none": Row(None, SAID, "incomplete"),
    "spelling: an escape": Row("record", THERE),
    "spelling: a blank": Row("record", THERE),
    "spelling: around the line": Row("record", THERE),
    "spelling: another order": Row("record", THERE),
    "spelling: a default": Row("record", THERE),
    "spelling: a number": Row("record", THERE),
    "spelling: a key that nobody knows": Row("record", THERE),
    "spelling: a key twice": Row("record", THERE),
    "time: another spelling": Row("record", FIRST),
    "characters: control characters in an author": Row("record", FIRST),
    "characters: control characters in an id": Row("record", FIRST),
    "decided anew: an answer": Row("checkpoint", REWRITTEN),
    "decided anew: an entered roll": Row("checkpoint", REWRITTEN),
    "decided anew: a declaration": Row("checkpoint", REWRITTEN),
    "decided anew: a die called a real one": Row("rules", "where the die is awaited"),
    "decided anew: a die more": Row("rules", "the roll"),
    "decided anew: a ruling": Row("checkpoint", REWRITTEN),
    "decided anew: a command left out": Row("checkpoint", REWRITTEN),
    "decided anew: an input put in": Row("checkpoint", REWRITTEN),
    "decided anew: an undo put in": Row("checkpoint", REWRITTEN),
    "decided anew: a redo put in": Row("checkpoint", REWRITTEN),
    "decided anew: an amendment put in": Row("checkpoint", REWRITTEN),
    "decided anew: under another seed": Row("checkpoint", REWRITTEN),
}
"""Every row, in the order of the printed matrix."""
