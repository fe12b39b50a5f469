// The number of a clause. Where there is a server it leads to the clause in the book of the system.

import { h } from "./dom.js";

/** Return what shows a clause of a system; without a system it leads nowhere. */
export function clauses(system) {
  if (!system) return (rule) => h("span", { class: "clause" }, rule);
  const book = `/rules/${encodeURIComponent(system)}`;
  return (rule) => h("a", { class: "clause", href: `${book}#${encodeURIComponent(rule)}`, target: "_blank", rel: "noopener" }, rule);
}
