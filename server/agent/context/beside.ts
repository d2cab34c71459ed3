/** What follows from an object that never changes, worked out once and kept for as long as the object lives. */
export function beside<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const kept = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known.value;
    const value = work(key);
    kept.set(key, { value });
    return value;
  };
}
