/** A minimal external store: a value with subscribers. */
import { useSyncExternalStore } from "react";

export interface ReadableStore<T> {
  readonly get: () => T;
  /** Calls `listener` after every change; returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface WritableStore<T> extends ReadableStore<T> {
  /** Does not notify if the value is identical. */
  readonly set: (next: T) => void;
  readonly update: (change: (value: T) => T) => void;
}

export function createStore<T>(initial: T): WritableStore<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T): void => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Subscribes to a part of a store. `select` must return the same object for the same value: pick, do not build. */
export function useStore<T, S>(store: ReadableStore<T>, select: (value: T) => S): S {
  const pick = (): S => select(store.get());
  return useSyncExternalStore(store.subscribe, pick, pick);
}
