/** What the owner decided about an API, as `api.json` in its folder has it. */
import * as z from "zod/mini";

const originSchema = z.union([
  z.object({ kind: z.literal("url"), url: z.string() }),
  z.object({ kind: z.literal("file"), name: z.string() }),
  z.object({ kind: z.literal("paste") }),
]);

export const apiEntrySchema = z.object({
  origin: originSchema,
  /** ms epoch */
  loadedAt: z.number(),
  /** Where its requests go, without a final slash; "" = none. */
  address: z.string(),
  isConfirmed: z.boolean(),
  isEnabled: z.boolean(),
  /** Own names of tools: switched off; near the start of the catalogue; not there when the API was approved. */
  off: z.array(z.string()),
  pinned: z.array(z.string()),
  unapproved: z.array(z.string()),
});
export type ApiEntry = z.infer<typeof apiEntrySchema>;

/** What of it is not about single tools. */
export type ApiSettings = Omit<ApiEntry, "off" | "pinned" | "unapproved">;
