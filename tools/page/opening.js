// Opening a fight, under a name that is free.

/** How many numbered names are tried. */
const MOST = 100;

/** What new encounters say of foes: players see a word for what they have left. */
export const UNREAD = { foes: "rough" };

/** Return an encounter with that, if it does not say otherwise. */
export const unread = (kept) => ({ ...kept, content: { ...UNREAD, ...kept.content } });

/** Return the address of a fight's table. */
export const fightAt = (id) => `#fight=${encodeURIComponent(id)}`;

/** Return a short name of plain letters for a title. */
export function nameOf(title, otherwise = "fight") {
  const plain = title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || otherwise;
}

/** Try a name, then the name with a number, until one is free. */
export async function underFreeName(wanted, attempt) {
  for (let nth = 1; ; nth += 1) {
    try {
      return await attempt(nth === 1 ? wanted : `${wanted}-${nth}`);
    } catch (problem) {
      if (!["taken", "superseded"].includes(problem.code) || nth === MOST) throw problem;
    }
  }
}

/** Open a fight of an encounter, `{ saved }`, `{ encounter }` or `{ toml }`; return its name and its links. */
export const openFight = (client, title, from) => underFreeName(nameOf(title), (id) => client.open({ id, ...from }));
