"use client";
/** Components of registry entries. */
import { type ComponentType, lazy } from "react";

/** Loads the component of a registry entry. */
export type LoadComponent<Props> = () => Promise<ComponentType<Props>>;

/** Part of a registry entry: in the initial bundle (`component`), or loaded when it is drawn first (`load`). */
export type RegisteredComponent<Props> =
  | { readonly component: ComponentType<Props> }
  | { readonly load: LoadComponent<Props> };

/**
 * Creates a function that returns the component of an entry. The same loader always gets the same component, so that
 * React keeps its state between renders; after a loader has failed, the next call gets a component that loads again.
 * A component with a loader suspends until it has loaded.
 */
export function createLazyComponents<Props extends object>(): (
  entry: RegisteredComponent<Props>,
) => ComponentType<Props> {
  const components = new WeakMap<LoadComponent<Props>, ComponentType<Props>>();
  return (entry) => {
    if ("component" in entry) return entry.component;
    const { load } = entry;
    const created = components.get(load);
    if (created !== undefined) return created;
    const component: ComponentType<Props> = lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        components.delete(load);
        throw error;
      }
    });
    components.set(load, component);
    return component;
  };
}
