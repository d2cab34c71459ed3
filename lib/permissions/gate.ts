/** A gate: a script of an extension that is asked before each call of a tool. It may deny or ask, never allow. */

/**
 * Why a gate asks although it did not say so. late = no answer in time; broken = it failed, or its answer cannot be read;
 * changed = its files are not those that were enabled; not_loaded = this program could not read the extensions.
 */
export const gateFailures = ["late", "broken", "changed", "not_loaded"] as const;
export type GateFailure = (typeof gateFailures)[number];

/** Answer of a gate about a call, for its approval card. */
export interface GateNote {
  /** Name of its extension; "" if none was read. */
  readonly gate: string;
  /** In the words of its author, or what went wrong; "" = nothing is said. */
  readonly reason: string;
  readonly failure?: GateFailure;
  /** With not_loaded: path of the file that cannot be read; with a `gate`, only the entry of its extension cannot be. */
  readonly file?: string;
}

/** The strictest answer of all gates; pass = none of them objects. */
export type GateVerdict =
  | { readonly kind: "pass" }
  | { readonly kind: "deny"; readonly note: GateNote }
  | { readonly kind: "ask"; readonly note: GateNote };

/** deny beats ask, ask beats pass; of equal answers the first counts. */
export function strictestVerdict(verdicts: readonly GateVerdict[]): GateVerdict {
  const first = (kind: GateVerdict["kind"]): GateVerdict | undefined => verdicts.find((one) => one.kind === kind);
  return first("deny") ?? first("ask") ?? { kind: "pass" };
}
