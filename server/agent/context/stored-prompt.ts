/** The exact prompt of a session, composed when its model is chosen and stored with it. */
import * as z from "zod/mini";
import type { Profile, ToolMode } from "@/lib/events/event";
import { buildSystemPrompt } from "@/server/prompts/prompts";
import { buildToolSchemas } from "@/server/tools/core/registry";
import type { Tool } from "@/server/tools/core/tool";
import type { StoredPrompt } from "@/lib/models/stored-prompt";

/**
 * Deterministic for a profile, mode and tools. In the text modes the system text describes the tools; the list is
 * stored with it for the record, but only sent and counted in native mode.
 */
export function composeStoredPrompt(profile: Profile, mode: ToolMode, tools: readonly Tool[]): StoredPrompt {
  const schemas = buildToolSchemas(tools, profile);
  return { system: buildSystemPrompt(profile, mode, schemas).system, tools: schemas };
}

const promptSchema = z.object({
  system: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.json() })),
});

/** Parses a stored prompt; null = damaged. */
export function parseStoredPrompt(text: string): StoredPrompt | null {
  try {
    const prompt: StoredPrompt = JSON.parse(text);
    // The parsed object, not the schema's copy: its bytes are part of every request.
    return promptSchema.safeParse(prompt).success ? prompt : null;
  } catch {
    return null;
  }
}
