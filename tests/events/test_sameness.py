"""Facts are the same if they are written alike; Python takes more for equal."""

from __future__ import annotations

from msgspec.inspect import BoolType, DictType, IntType, StructType, Type, UnionType, VarTupleType, type_info

from affray.events import EVENTS, LOOSE, Answered, Joined, MarkSet, Noted, are_same, is_same


def is_loose(kind: Type) -> bool:
    """Tell whether equal values of a type can be written in several ways."""
    match kind:
        case DictType():
            return True
        case UnionType():
            numbers = [one for one in kind.types if isinstance(one, IntType | BoolType)]
            return len(numbers) > 1 or any(map(is_loose, kind.types))  # a text never equals a struct
        case VarTupleType():
            return is_loose(kind.item_type)
        case StructType():
            return any(is_loose(field.type) for field in kind.fields)
        case _:
            return False


def test_every_event_with_such_a_field_is_compared_as_it_is_written() -> None:
    assert {kind for kind in EVENTS if is_loose(type_info(kind))} == LOOSE


def test_a_truth_is_no_number_and_tables_have_an_order() -> None:
    one, other = MarkSet(owner="bo", key="late", value=1), MarkSet(owner="bo", key="late", value=True)
    assert one == other
    assert not is_same(one, other)
    assert is_same(other, MarkSet(owner="bo", key="late", value=True))
    said = [Answered(question="q", by="bo", choice="yes", fields={"ep": number}) for number in (0, False)]
    assert not is_same(*said)
    joined = [Joined(who="bo", name="Bo", side="foes", stats=dict(stats), pools={}) for stats in (AB, AB[::-1])]
    assert joined[0] == joined[1]
    assert not are_same([Noted(text="a"), joined[0]], [Noted(text="a"), joined[1]])
    assert are_same([Noted(text="a"), joined[0]], [Noted(text="a"), joined[0]])
    assert not are_same([joined[0]], [])


AB = (("a", 1), ("b", 2))
