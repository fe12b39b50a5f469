// Search, contents and links of the book. Without it the page is whole, only longer.
(() => {
  const find = document.getElementById("find");
  const count = document.getElementById("count");
  const contents = document.getElementById("contents");
  const open = document.getElementById("open");
  const parts = [...document.querySelectorAll("section.part")];
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  // A clause's number is found however it is written: VES-033, ves33.
  const short = (text) => text.replace(/-/g, "").replace(/([a-z])0+(?=[0-9])/g, "$1");
  const numbered = /^[a-z]{3}-?[a-z]?[0-9]+$/;
  const clauses = [...document.querySelectorAll("article.clause")].map((node) => ({
    node,
    entry: contents.querySelector(`a[href="#${CSS.escape(node.id)}"]`).parentElement,
    number: short(plain(node.id)),
    head: plain(node.querySelector("h3").textContent),
    text: plain([...node.querySelectorAll("h3, .says, .gm, .settings, figcaption")].map((one) => one.textContent).join(" ")),
  }));

  function search() {
    const words = plain(find.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { node, entry, number, text } of clauses) {
      const meant = (word) => text.includes(word) || (numbered.test(word) && number === short(word));
      node.hidden = entry.hidden = !words.every(meant);
      shown += !node.hidden;
    }
    for (const part of [...parts, ...contents.querySelectorAll("section")]) {
      const lines = [...part.querySelectorAll("article.clause, li")].filter((one) => one.closest("figure, footer") === null);
      part.hidden = words.length > 0 && lines.every((one) => one.hidden);
    }
    document.body.classList.toggle("searching", words.length > 0);
    count.textContent = words.length ? (shown ? `${shown} of ${clauses.length}` : "nothing found") : "";
  }

  function first() {
    const words = plain(find.value).split(/\s+/).filter(Boolean);
    const seen = clauses.filter(({ node }) => !node.hidden);
    const exact = seen.find(({ number }) => words.length === 1 && number === short(words[0]));
    return exact ?? seen.find(({ head }) => words.every((word) => head.includes(word))) ?? seen[0];
  }

  function reveal() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]") || target.querySelector("[hidden]")) {
      find.value = "";
      search();
    }
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    target.scrollIntoView();
    here(target.id);
  }

  function here(id) {
    contents.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = contents.querySelector(`a[href="#${CSS.escape(id)}"]`);
    link?.setAttribute("aria-current", "location");
    if (link && getComputedStyle(contents).position === "sticky") {
      contents.scrollTop = link.offsetTop - contents.clientHeight / 2;
    }
  }

  function show(yes) {
    contents.classList.toggle("open", yes);
    open.setAttribute("aria-expanded", String(yes));
  }

  find.addEventListener("input", search);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const one = first();
      if (one) location.hash = one.node.id;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      find.focus();
      find.select();
    } else if (event.key === "Escape") {
      show(false);
      find.value = "";
      search();
      find.blur();
    }
  });
  open.addEventListener("click", () => show(!contents.classList.contains("open")));
  contents.addEventListener("click", (event) => event.target.closest("a") && show(false));
  addEventListener("hashchange", reveal);
  const seen = new IntersectionObserver((entries) => {
    const one = entries.find((entry) => entry.isIntersecting);
    if (one) here(one.target.id);
  }, { rootMargin: "-12% 0px -80% 0px" });
  for (const { node } of clauses) seen.observe(node);
  reveal();
})();
