/** The exact prompt of a session, put together once when its model is chosen and stored with it. Called by model-choice and the doctor. */
import * as z from "zod/mini";
import type { Profile, ToolMode } from "@/lib/event";
import { promptFor } from "../prompts/prompts";
import { toolSchemas } from "../tools/registry";
import type { Tool } from "../tools/tool";
import type { StoredPrompt } from "./host";

/**
 * The same bytes for the same profile, mode and tools. In the text modes the system text tells of the tools, and the list is
 * kept beside it for the record: a request sends it natively only, and counts it natively only.
 */
export function storedPromptFor(profile: Profile, mode: ToolMode, tools: readonly Tool[]): StoredPrompt {
  const told = toolSchemas(tools, profile);
  return { system: promptFor(profile, mode, told).system, tools: told };
}

const promptSchema = z.object({
  system: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.json() })),
});

/** A prompt as it was stored; null when it is damaged. */
export function readPrompt(text: string): StoredPrompt | null {
  try {
    const prompt: StoredPrompt = JSON.parse(text);
    // As it was stored, not as the schema would copy it: its bytes are a part of every request.
    return promptSchema.safeParse(prompt).success ? prompt : null;
  } catch {
    return null;
  }
}
