/** Ids the browser makes. Works without a secure context: a page on a plain address has no randomUUID. */
import { asId, type CommandId } from "@/lib/id";

/** 128 random bits in hex. */
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Names one command for ever: sent twice, it acts once. */
export const newCommandId = (): CommandId => asId<CommandId>(randomText());
