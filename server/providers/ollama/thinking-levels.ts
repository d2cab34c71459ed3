/** Thinking level accepted by each model, from the server's list or its refusals; kept for the life of the process. */
import type { Think } from "@/lib/events/event";
import type { ModelInfo } from "@/lib/models/models";

export interface ThinkingLevels {
  /** Returns the level to request: `wanted`, unless a lower one is known to be needed. */
  supported(model: string, wanted: Think): Think;
  /** Records that the server refused `level`; returns the next lower level, undefined = none. */
  reduce(model: string, level: Think): false | undefined;
  /** Learns from the capabilities in the server's list. */
  learn(model: ModelInfo): void;
}

export function makeThinkingLevels(): ThinkingLevels {
  /** By digest, or by name without one. */
  const most = new Map<string, false>();
  const digests = new Map<string, string>();
  const keyOf = (model: string): string => digests.get(model) ?? model;
  return {
    supported: (model, wanted) => (wanted === false ? false : (most.get(keyOf(model)) ?? wanted)),
    reduce(model, level) {
      if (level !== true) return undefined;
      most.set(keyOf(model), false);
      return false;
    },
    learn({ name, digest, capabilities }) {
      if (digest !== undefined) digests.set(name, digest);
      if (capabilities.length > 0 && !capabilities.includes("thinking")) most.set(keyOf(name), false);
    },
  };
}
