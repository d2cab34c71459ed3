/** Values of the last minutes, in memory: a number of entries, each for a time. */

interface RecentCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  clear(): void;
}

interface RecentCacheOptions {
  readonly maxEntries: number;
  readonly keptMs: number;
  /** ms, never goes back */
  now(): number;
}

export function makeRecentCache<T>({ maxEntries, keptMs, now }: RecentCacheOptions): RecentCache<T> {
  const entries = new Map<string, { readonly value: T; readonly at: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry === undefined || now() - entry.at >= keptMs ? undefined : entry.value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, at: now() });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    clear: () => entries.clear(),
  };
}
