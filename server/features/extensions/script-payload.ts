/** The line of JSON that a script gets: our fields, and the names that Claude Code uses for the same. Pure. */
import type { Json } from "@/lib/events/content";

export interface PayloadBase {
  readonly extension: string;
  /** null = no session, as for a slash command in a new one. */
  readonly sessionId: string | null;
  /** Real path of the project. */
  readonly project: string;
}

const base = ({ extension, sessionId, project }: PayloadBase): { readonly [name: string]: Json } => ({
  extension,
  project,
  session_id: sessionId,
  cwd: project,
});

export const toolPayload = (call: PayloadBase, tool: string, input: Json): Json => ({
  kind: "tool",
  name: tool,
  input,
  ...base(call),
  hook_event_name: "ToolCall",
  tool_name: tool,
  tool_input: input,
});

/** `tool` is the name by which the model knows it, as in `bash` or `github__create_issue`. */
export const gatePayload = (call: PayloadBase, tool: string, input: Json, mode: string): Json => ({
  kind: "gate",
  name: tool,
  input,
  mode,
  ...base(call),
  hook_event_name: "PreToolUse",
  tool_name: tool,
  tool_input: input,
});

export const commandPayload = (call: PayloadBase, command: string, text: string): Json => ({
  kind: "command",
  name: command,
  arguments: text,
  ...base(call),
  hook_event_name: "SlashCommand",
});
