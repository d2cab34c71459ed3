"use client";
/** Lazy components of registry entries. */
import { type ComponentType, lazy } from "react";

/** Loads the component of a registry entry. */
export type LoadComponent<Props> = () => Promise<ComponentType<Props>>;

/**
 * Creates a function that returns the lazy component of a loader. The same loader always gets the same component, so
 * that React keeps its state between renders. The component suspends until it has loaded.
 */
export function createLazyComponents<Props extends object>(): (load: LoadComponent<Props>) => ComponentType<Props> {
  const components = new WeakMap<LoadComponent<Props>, ComponentType<Props>>();
  return (load) => {
    const known = components.get(load);
    if (known !== undefined) return known;
    const component: ComponentType<Props> = lazy(async () => ({ default: await load() }));
    components.set(load, component);
    return component;
  };
}
