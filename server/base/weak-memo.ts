/** Memoizes a function of immutable objects for the lifetime of each object. */
export function weakMemo<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached.value;
    const value = work(key);
    cache.set(key, { value });
    return value;
  };
}
