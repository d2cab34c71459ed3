/** The limit of tools over all servers. Pure. */

/** The tools after this many are left out. */
export const maxToolsOfServers = 2_000;

/**
 * Returns a function that takes the lists of all servers, in the order in which they count, and returns what is left of each:
 * together at most `limit` tools. What it returns for a list is the same list until another number of it is left.
 */
export function makeToolShares<T>(limit: number): (lists: readonly (readonly T[])[]) => readonly (readonly T[])[] {
  const cuts = new WeakMap<readonly T[], readonly T[]>();
  const cut = (list: readonly T[], count: number): readonly T[] => {
    if (list.length <= count) return list;
    const last = cuts.get(list);
    if (last?.length === count) return last;
    const next = list.slice(0, count);
    cuts.set(list, next);
    return next;
  };
  return (lists) => {
    let left = limit;
    return lists.map((list) => {
      const share = cut(list, left);
      left -= share.length;
      return share;
    });
  };
}
