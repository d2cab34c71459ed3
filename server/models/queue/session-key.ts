/** The id under which model servers see a session: a router keeps the requests of one id on one host. Pure. */
import { computeHash } from "@/server/base/id";

/** 128 bits, as hexadecimal digits. */
const keyChars = 32;

/** Returns the same id for a session at any time. The session's own id, which is random, does not follow from it. */
export const sessionKey = (sessionId: string): string =>
  computeHash(`session at a model server: ${sessionId}`).slice(0, keyChars);
