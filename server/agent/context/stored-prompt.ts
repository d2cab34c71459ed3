/** The exact prompt of a session, composed when its model is chosen and stored with it. */
import * as z from "zod/mini";
import type { Profile, ToolMode } from "@/lib/events/event";
import { buildSystemPrompt } from "@/server/prompts/prompts";
import { composeToolSchemas, type ToolSource } from "@/server/tools/core/tool-source";
import type { StoredPrompt } from "@/lib/models/stored-prompt";

/**
 * Deterministic for a profile, mode, sources and rules (default: those that are shipped). In the text modes the system text
 * describes the tools; the list is stored with it for the record, but only sent and counted in native mode.
 */
export function composeStoredPrompt(
  profile: Profile,
  mode: ToolMode,
  sources: readonly ToolSource[],
  rules?: string,
): StoredPrompt {
  const tools = composeToolSchemas(sources, profile);
  return { system: buildSystemPrompt(profile, mode, tools, rules).system, tools };
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
