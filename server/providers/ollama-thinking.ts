/** How much thinking may be asked of a model: what its server lists or has refused, for as long as the process lives. Used by ollama. */
import type { Think } from "@/lib/event";
import type { ModelInfo } from "@/lib/models";

export interface Thinking {
  /** What to ask for: as much as was wanted, unless less is known to be right. */
  most(model: string, wanted: Think): Think;
  /** The server refused `asked`; the next step down, or undefined when there is none. */
  less(model: string, asked: Think): false | undefined;
  /** What the server's list says. */
  learn(model: ModelInfo): void;
}

export function makeThinking(): Thinking {
  /** By digest, or by name where none is known. */
  const most = new Map<string, false>();
  const digests = new Map<string, string>();
  const keyOf = (model: string): string => digests.get(model) ?? model;
  return {
    most: (model, wanted) => (wanted === false ? false : (most.get(keyOf(model)) ?? wanted)),
    less(model, asked) {
      if (asked !== true) return undefined;
      most.set(keyOf(model), false);
      return false;
    },
    learn({ name, digest, capabilities }) {
      if (digest !== undefined) digests.set(name, digest);
      if (capabilities.length > 0 && !capabilities.includes("thinking")) most.set(keyOf(name), false);
    },
  };
}
