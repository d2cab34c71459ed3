/** Values that are loaded at first use. */

/** Returns a function that calls `load` once and returns its promise at each call, also after a failure. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
