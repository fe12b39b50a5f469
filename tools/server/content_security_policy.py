"""Content-Security-Policy of the pages: nothing from elsewhere, and no inline script but the import map."""

import re
from base64 import b64encode
from hashlib import sha256

_INLINE = re.compile(r"<script type=\"importmap\">(.*?)</script>", re.DOTALL)


def page_policy(page: str = "") -> str:
    """Build the policy for a page; its import map is allowed by its hash, other inline scripts are not."""
    allowed = "".join(f" 'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in _INLINE.findall(page))
    scripts = f"script-src 'self'{allowed}"
    return f"default-src 'self'; {scripts}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
