/** Models that refuse to think, from the server's list or its refusals; kept for the life of the process. */
import type { Think } from "@/lib/events/event";
import type { ModelInfo } from "@/lib/models/models";

export function makeThinkingLevels() {
  /** By digest, or by name without one. */
  const refusing = new Set<string>();
  const digests = new Map<string, string>();
  const keyOf = (model: string): string => digests.get(model) ?? model;
  return {
    /** Returns the level to request: `wanted`, or false where the model is known to refuse. */
    supported: (model: string, wanted: Think): Think => (refusing.has(keyOf(model)) ? false : wanted),
    /** Records that the server refused to let the model think. */
    refuse: (model: string) => void refusing.add(keyOf(model)),
    /** Learns from the capabilities in the server's list. */
    learn({ name, digest, capabilities }: ModelInfo): void {
      if (digest !== undefined) digests.set(name, digest);
      if (capabilities.length > 0 && !capabilities.includes("thinking")) refusing.add(keyOf(name));
    },
  };
}
