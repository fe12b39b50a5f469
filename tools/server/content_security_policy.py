"""Content-Security-Policy of the pages: nothing from elsewhere, and no inline script but the import map."""

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

_INLINE = re.compile(r"<script type=\"importmap\">(.*?)</script>", re.DOTALL)


def page_policy(page: str = "", frames: Sequence[str] = ()) -> str:
    """Build the policy for a page; its import map is allowed by its hash, other inline scripts are not.

    Args:
        frames: The other origins that may show the page in a frame.
    """
    allowed = "".join(f" 'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in _INLINE.findall(page))
    scripts, framing = f"script-src 'self'{allowed}", " ".join(frames) or "'none'"
    return f"default-src 'self'; {scripts}; base-uri 'none'; form-action 'none'; frame-ancestors {framing}"
