/** Ids under which model servers see the sessions: a router keeps the requests of one id on one host. */
import { createHmac, randomBytes } from "node:crypto";
import type { SecretStore } from "@/server/store/access/secrets";

const secretName = "sessions";
const secretBytes = 32;
/** 128 bits, as hexadecimal digits. */
const keyChars = 32;

/**
 * Returns the function from a session's id to its id at model servers. It is the same after a restart, and does not reveal the
 * session's own id. A secret that cannot be stored is logged and lasts as long as the process.
 */
export function makeSessionKeys(
  secrets: Pick<ReturnType<SecretStore["in"]>, "get" | "set">,
  log: (line: string) => void,
): (sessionId: string) => string {
  let secret: string | undefined;
  function readSecret(): string {
    const fresh = randomBytes(secretBytes).toString("base64url");
    try {
      const stored = secrets.get(secretName);
      if (stored === null) secrets.set(secretName, fresh);
      return stored ?? fresh;
    } catch (error) {
      log(`secret of session ids: ${error instanceof Error ? error.message : String(error)}`);
      return fresh;
    }
  }
  return (sessionId) => {
    secret ??= readSecret();
    return createHmac("sha256", secret).update(sessionId).digest("hex").slice(0, keyChars);
  };
}
