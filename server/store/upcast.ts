/** Old events in today's shape. A stored row is never rewritten: whoever reads it gets it through here. */
import type { DurableEvent } from "@/lib/event";
import { isEventShape } from "./event-shape";

/** The version new rows are written with. */
export const eventVersion = 1;

/** undefined = not an event of any version known here, or a damaged one. */
export const upcast = (version: number, value: unknown): DurableEvent | undefined =>
  version === eventVersion && isEventShape(value) ? value : undefined;
