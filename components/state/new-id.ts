/** Ids generated in the browser. Works without a secure context: pages on plain http have no randomUUID. */
import { asId, type CommandId } from "@/lib/events/id";

/** 128 random bits in hex. */
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A unique command id; the server executes a command with the same id only once. */
export const newCommandId = (): CommandId => asId<CommandId>(randomText());
