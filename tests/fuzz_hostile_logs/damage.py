"""Damage to the bytes of a log."""


def marked(content: bytes) -> bytes:
    return b"\xef\xbb\xbf" + content


def add_line_returns(content: bytes) -> bytes:
    return content.replace(b"\n", b"\r\n")


def nuls(content: bytes) -> bytes:
    return content[: len(content) // 2] + bytes(7) + content[len(content) // 2 :]


def wide(content: bytes) -> bytes:
    return content.decode("utf-8", "replace").encode("utf-16")


def empty_lines(content: bytes) -> bytes:
    return content.replace(b"\n", b"\n\n", 3)


def blank(content: bytes) -> bytes:
    return b"{}\n" * 5 + content


def unended(content: bytes) -> bytes:
    return content[:-1]


def headless(content: bytes) -> bytes:
    return content[content.find(b"\n") // 2 :]


def no_log(content: bytes) -> bytes:
    return b""


BYTES = (marked, add_line_returns, nuls, wide, empty_lines, blank, unended, headless, no_log)
"""What becomes of a file on its way."""
