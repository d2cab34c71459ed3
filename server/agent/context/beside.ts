/** Memoizes a function of immutable objects for the lifetime of each object. */
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
