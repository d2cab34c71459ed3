/** JSON whose members are in the order of their names: equal values have equal texts. Pure. */

/**
 * Returns the value with the keys of its objects in order; a replacer of `JSON.stringify` would take much longer. `existing` =
 * the sorted copy of a part that many values have; undefined = there is none.
 */
export function sortMembers(value: unknown, existing: (part: object) => unknown = () => undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.some(isObject) ? value.map((item: unknown) => sortMembers(item, existing)) : value;
  const copy = existing(value);
  if (copy !== undefined) return copy;
  const names = Object.keys(value);
  if (names.some((name, index) => index > 0 && name < (names[index - 1] ?? ""))) names.sort();
  const sorted: { [name: string]: unknown } = {};
  for (const name of names) {
    const member = sortMembers(Reflect.get(value, name), existing);
    // An assignment would set the prototype.
    if (name === "__proto__")
      Object.defineProperty(sorted, name, { value: member, enumerable: true, writable: true, configurable: true });
    else sorted[name] = member;
  }
  return sorted;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Writes JSON with sorted keys. */
export const toSortedJson = (value: unknown): string => JSON.stringify(sortMembers(value));
