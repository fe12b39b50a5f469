"""QR codes of links: as a picture for a page, as blocks for a terminal."""

from io import StringIO

import segno

from affray.engine.errors import Unusable


def render_svg_code(link: str) -> str:
    """Render a QR code as an SVG picture that scales to its container.

    Raises:
        Unusable: the link is longer than a QR code can hold.
    """
    try:
        code = segno.make(link, error="m", micro=False)
    except segno.DataOverflowError:
        raise Unusable(f"has {len(link.encode())} bytes, and no code holds so many", "link") from None
    picture: str = code.svg_inline(scale=4, border=4, omitsize=True, light="#fff")
    named = "xmlns" in picture
    return picture if named else picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def render_text_code(link: str) -> list[str]:
    """Render a QR code as lines of half blocks, for a terminal."""
    out = StringIO()
    segno.make(link, error="l", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().rstrip("\n").split("\n")
