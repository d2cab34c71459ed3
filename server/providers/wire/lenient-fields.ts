/** Schemas for optional fields of a server's answer. Servers differ: a missing or mistyped field counts as absent. */
import * as z from "zod/mini";

export const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);

export const optionalText = lenient(z.string());
export const optionalCount = lenient(z.number());
export const optionalNames = lenient(z.array(z.string()));
