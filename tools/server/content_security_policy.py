"""What a browser may load for a page: nothing from elsewhere, and no script that is not a file of the page's own."""

import re
from base64 import b64encode
from hashlib import sha256

_INLINE = re.compile(r"<script type=\"importmap\">(.*?)</script>", re.DOTALL)


def policy(page: str = "") -> str:
    """Return the policy for a page; of what is written in it, its import map alone is allowed, by its hash."""
    allowed = "".join(f" 'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in _INLINE.findall(page))
    scripts = f"script-src 'self'{allowed}"
    return f"default-src 'self'; {scripts}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
