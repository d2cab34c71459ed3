/** Validates a connection's key for a request. */
import type { AgentError } from "@/lib/events/error";
import { isKeyValid, type KeyUse } from "@/lib/models/key-use";
import { ProviderError } from "../provider";

/** A connection's key and how it is sent. */
export interface KeySource {
  /** null = send none. Read for every request; never returned or reported. */
  readonly apiKey: () => string | null;
  /** Absent = as a bearer token. */
  readonly keyUse?: KeyUse | undefined;
  /** Why there is no key although one is named; absent or null = nothing is wrong. */
  readonly keyProblem?: () => AgentError | null;
}

/** Returns the trimmed key; null = none is sent. Throws ProviderError `key_refused` if it cannot be read, or cannot be sent this way. */
export function sentKey({ apiKey, keyUse, keyProblem }: KeySource): string | null {
  const problem = keyProblem?.() ?? null;
  if (problem !== null) throw new ProviderError(problem);
  const key = apiKey()?.trim() ?? "";
  if (key === "") return null;
  // It was pasted by mistake.
  if (!isKeyValid(key, keyUse)) throw new ProviderError({ code: "key_refused", facts: { malformed: true } });
  return key;
}
