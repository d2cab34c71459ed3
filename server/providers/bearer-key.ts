/** The key of a connection as it goes into a header. Called by the clients of both wires. */
import { ProviderError } from "./provider";

const visible = /^[\x21-\x7e]+$/;

/** Without the blanks around it; null = none is sent. Throws ProviderError `key_refused` for a text that no header can hold. */
export function bearerKey(apiKey: () => string | null): string | null {
  const key = apiKey()?.trim() ?? "";
  if (key === "") return null;
  // It would not go into a header, and what cannot be a key was pasted by mistake.
  if (!visible.test(key)) throw new ProviderError({ code: "key_refused", facts: { malformed: true } });
  return key;
}
