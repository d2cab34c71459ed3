/** The system prompts as their page shows them. */
import type { Profile, ToolMode } from "../events/event";

export const profiles = ["small", "default", "full"] as const satisfies readonly Profile[];

/** Most tokens of the system prompt and the schemas of all tools that are read before the first answer without a wait. */
export const promptBudgets: Readonly<Record<Profile, number>> = { small: 700, default: 1_150, full: 1_800 };

/** Characters of the rules. */
export const promptRulesMaxChars = 32_000;

/** The rules of a profile, which begin its system prompt. */
export interface PromptRules {
  /** As new sessions get them. */
  readonly text: string;
  /** As gopi-web ships them. */
  readonly original: string;
  /** Absolute path of the file that replaces them; it exists if `text` differs from `original`. */
  readonly path: string;
}

/** A built-in tool. */
export interface PromptToolRow {
  readonly name: string;
  readonly descriptions: Readonly<Record<Profile, string>>;
  /** Estimated tokens of its schema. */
  readonly tokens: Readonly<Record<Profile, number>>;
}

export interface PromptsState {
  readonly rules: Readonly<Record<Profile, PromptRules>>;
  /** Format of calls in each mode, below the rules; the text modes describe the tools there. */
  readonly calls: Readonly<Record<ToolMode, string>>;
  readonly tools: readonly PromptToolRow[];
}
