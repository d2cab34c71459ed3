/** Old events in today's shape. A stored row is never rewritten: whoever reads it gets it through here. */
import { delivery, type DurableEvent } from "@/lib/event";

/** The version new rows are written with. */
export const eventVersion = 1;

const durableTypes: ReadonlySet<string> = new Set(
  Object.entries(delivery).flatMap(([type, kind]) => (kind === "durable" ? [type] : [])),
);

const isDurableEvent = (value: unknown): value is DurableEvent =>
  typeof value === "object" &&
  value !== null &&
  "type" in value &&
  typeof value.type === "string" &&
  durableTypes.has(value.type);

/** undefined = not an event of any version known here. */
export const upcast = (version: number, value: unknown): DurableEvent | undefined =>
  version === eventVersion && isDurableEvent(value) ? value : undefined;
