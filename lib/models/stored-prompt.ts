/** The exact prompt of a session: system text and tool schemas, stored at model_change. */
import type { Json } from "../events/content";

/** A tool as described to the model; `parameters` is a JSON Schema object. Order and bytes are part of the prompt. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** The exact prompt of a session, stored at model_change. */
export interface StoredPrompt {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}
