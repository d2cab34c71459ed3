/** Converts stored events of old versions to the current shape on reading; stored rows are never rewritten. */
import type { DurableEvent } from "@/lib/events/event";
import { isEventShape } from "./event-shape";

/** Version of newly written rows. */
export const eventVersion = 1;

/** Returns the event; undefined = unsupported version or damaged. */
export const upcast = (version: number, value: unknown): DurableEvent | undefined =>
  version === eventVersion && isEventShape(value) ? value : undefined;
