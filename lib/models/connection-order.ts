/** User-defined order of connections in lists and menus. */

/** Sorts connections by `order`; ids not in `order` follow in their original order. */
export function sortConnections<C extends { readonly id: string }>(
  connections: readonly C[],
  order: readonly string[],
): readonly C[] {
  const ranks = new Map(order.map((id, index) => [id, index]));
  const rankOf = ({ id }: C): number => ranks.get(id) ?? order.length;
  return connections.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Returns `ids` with `id` moved by `step` positions, clamped to the ends. */
export function moveInOrder(ids: readonly string[], id: string, step: number): readonly string[] {
  const from = ids.indexOf(id);
  if (from < 0) return ids;
  const others = ids.filter((other) => other !== id);
  const to = Math.max(0, Math.min(others.length, from + step));
  return [...others.slice(0, to), id, ...others.slice(to)];
}
