// Opening a fight, under a name that is free.

/** How many names are tried. */
const MOST = 100;

/** Return the address of a fight's table. */
export const fightAt = (id) => `#fight=${encodeURIComponent(id)}`;

/** Return what a title is called where a name must be short and plain. */
export function nameOf(title, otherwise = "fight") {
  const plain = title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || otherwise;
}

/** Try a name, and then that name with a number, until it is not taken. */
export async function underFreeName(wanted, attempt) {
  for (let nth = 1; ; nth += 1) {
    try {
      return await attempt(nth === 1 ? wanted : `${wanted}-${nth}`);
    } catch (problem) {
      if (!["taken", "superseded"].includes(problem.code) || nth === MOST) throw problem;
    }
  }
}

/** Open a fight of an encounter: `{ saved }`, `{ encounter }` or `{ toml }`; answers with its name and its links. */
export const openFight = (client, title, from) => underFreeName(nameOf(title), (id) => client.open({ id, ...from }));
