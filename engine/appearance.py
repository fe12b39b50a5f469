"""The appearance of texts: one form for spellings that readers cannot tell apart.

It covers the letters of one alphabet.
"""

import re

from .texts import SINGLES, compose

_VOWELS = (
    "अ\u0946ऄ अ\u093eआ र\u094dइई उ\u0941ऊ ए\u0945ऍ ए\u0946ऎ ए\u0947ऐ अ\u0949ऑ "
    "आ\u0945ऑ अ\u094aऒ आ\u0946ऒ अ\u094bओ आ\u0947ओ अ\u094cऔ आ\u0948औ अ\u0945ॲ "
    "अ\u093aॳ अ\u093bॴ आ\u093aॴ अ\u094fॵ अ\u0956ॶ अ\u0957ॷ অ\u09beআ ঋ\u09c3ৠ "
    "ঌ\u09e2ৡ ਅ\u0a3eਆ ੲ\u0a3fਇ ੲ\u0a40ਈ ੳ\u0a41ਉ ੳ\u0a42ਊ ੲ\u0a47ਏ ਅ\u0a48ਐ "
    "ੳ\u0a4bਓ ਅ\u0a4cਔ અ\u0abeઆ અ\u0ac5ઍ અ\u0ac7એ અ\u0ac8ઐ અ\u0ac9ઑ અ\u0acbઓ "
    "અ\u0accઔ આ\u0ac5ઑ આ\u0ac7ઓ આ\u0ac8ઔ ଅ\u0b3eଆ ଏ\u0b57ଐ ଓ\u0b57ଔ அ\u0bc2ஆ "
    "ఒ\u0c55ఓ ఒ\u0c4cఔ ಉ\u0cbeಊ ಒ\u0cccಔ ಋ\u0cbeೠ ഇ\u0d57ഈ ഉ\u0d57ഊ എ\u0d46ഐ "
    "ഒ\u0d3eഓ ഒ\u0d57ഔ අ\u0dcfආ අ\u0dd0ඇ අ\u0dd1ඈ උ\u0ddfඌ එ\u0dcaඒ එ\u0dd9ඓ "
    "ඔ\u0ddfඖ"
)
"""Vowels, each behind a look-alike spelling that Unicode advises against."""

_STROKES = "oø dđ lł hħ tŧ bƀ iɨ uʉ"
"""Latin letters, each before the one with a stroke, which an overlaid mark spells too."""

_SEQUENCES = (
    {one[:-1]: one[-1] for one in _VOWELS.split()}
    | {f"{one[0]}{mark}": one[1] for one in _STROKES.split() for mark in "\u0335\u0336\u0337\u0338"}
    | {f"{letter}\u0326": f"{letter}\u0327" for letter in "gklnr"}
    | {f"{letter}\u0d4d\u200d": one for letter, one in zip("ണനരലളക", "ൺൻർൽൾൿ", strict=True)}
    | {f"\u0e4d{tone}": f"{tone}\u0e4d" for tone in "\u0e48\u0e49\u0e4a\u0e4b"}
    | {f"\u0ecd{tone}": f"{tone}\u0ecd" for tone in "\u0ec8\u0ec9\u0eca\u0ecb"}
    | {
        "\u0131\u0307": "i",
        "i\u0307": "i",
        "j\u0307": "j",
        "\u0e40\u0e40": "\u0e41",
        "\u0ec0\u0ec0": "\u0ec1",
        "\u09a4\u09cd\u200d": "\u09ce",
        "\u0930\u094d\u200d": "\u0931\u094d",
        "\u0b92\u0bb3": "\u0b94",
        "\u0bc6\u0bb3": "\u0bcc",
        "\u17d2\u178a": "\u17d2\u178f",
    }
)
"""Spellings of several characters, and the usual one: older ones, and marks in another order."""

_ALIKE = str.maketrans(
    dict(zip("ىیک۰۱۲۳۷۸۹\u1040\u04cfşţ", "ييك٠١٢٣٧٨٩\u101d\u0456șț", strict=True))
    | {"\u05f0": "\u05d5\u05d5", "\u05f1": "\u05d5\u05d9", "\u05f2": "\u05d9\u05d9"}
)
"""Letters and digits that look the same as others of their alphabet, in some position or case."""

_SEQUENCE = re.compile("|".join(sorted(_SEQUENCES, key=len, reverse=True)))

_CAPITALS = str.maketrans("ÐƉ", "ĐĐ")
"""Capitals that look the same though their small letters differ."""

_MARKS = str.maketrans("ꞏ\u02d0\ua4fd\u01c3\ua4f8\ua4f9", "·::!.,")
"""Letters that look like marks, and the marks."""

_QUOTES = str.maketrans(dict.fromkeys(SINGLES, "'"))


def appearance(text: str) -> str:
    """Return one form of all texts that look the same, ignoring case and extra spaces.

    It is stricter than ``comparison_key``: Weiß and Weiss look different, though a search finds either by the other.
    """
    plain = text.translate(_QUOTES)
    if not plain.isascii():
        plain = compose("NFKD", compose("NFKC", plain.translate(_MARKS)).translate(_CAPITALS).lower())
        plain = compose("NFKC", _SEQUENCE.sub(lambda found: _SEQUENCES[found[0]], plain)).translate(_ALIKE)
    return " ".join(plain.lower().split())
