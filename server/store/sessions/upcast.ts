/** Converts stored events of old versions to the current shape on reading; stored rows are never rewritten. */
import type { DurableEvent } from "@/lib/events/event";
import { withTypedFacts } from "../core/error-shape";
import { isEventShape } from "./event-shape";

/** Version of newly written rows. */
export const eventVersion = 1;

/** Returns the event, without facts of an error that have a wrong type; undefined = unsupported version or damaged. */
export function upcast(version: number, value: unknown): DurableEvent | undefined {
  if (version !== eventVersion || !isEventShape(value)) return undefined;
  return "error" in value && value.error !== undefined ? { ...value, error: withTypedFacts(value.error) } : value;
}
