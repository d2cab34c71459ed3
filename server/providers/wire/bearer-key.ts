/** Validates a connection's API key for use in a header. */
import { ProviderError } from "../provider";

const printableAscii = /^[\x21-\x7e]+$/;

/** Returns the trimmed key; null = none is sent. Throws ProviderError `key_refused` if a header cannot hold it. */
export function bearerKey(apiKey: () => string | null): string | null {
  const key = apiKey()?.trim() ?? "";
  if (key === "") return null;
  // A header cannot hold it, so it was pasted by mistake.
  if (!printableAscii.test(key)) throw new ProviderError({ code: "key_refused", facts: { malformed: true } });
  return key;
}
