/** Error codes and Result. Code decides, text never does; the sentences stand in components/words. */
import type { Json } from "./content";

export const errorCodes = [
  // commands and sessions
  "bad_input",
  "unknown_command",
  "not_allowed",
  "not_found",
  "busy",
  "conflict",
  "gone",
  "too_large",
  "not_idle",
  /** A session can only be rewound to, or forked at, the end of a turn, a run, a compaction or a restore. */
  "not_border",
  /** `config.yaml` has bad syntax in `line`: nothing can be written into it before that is corrected. */
  "config_invalid",
  "models_invalid",
  /** Nothing of it goes on before it is restored. */
  "in_bin",
  // files
  "is_folder",
  "not_folder",
  "not_a_file",
  "exists",
  "binary",
  "outside",
  "protected",
  "blocked",
  "no_permission",
  "disk_full",
  "changed_meanwhile",
  "too_many",
  "bad_encoding",
  /** A text has a `character` that the file's `encoding` has not; the first one stands in `line`. */
  "unencodable",
  "bad_path",
  "broken_link",
  // edit
  "no_match",
  "ambiguous",
  "no_change",
  "placeholder",
  // tools
  "unknown_tool",
  "bad_regex",
  "timeout",
  "plan_mode",
  "denied",
  "tool_failed",
  "search_failed",
  // models
  "server_unreachable",
  "connection_lost",
  "stalled",
  "model_missing",
  "no_tools",
  "no_thinking",
  /** The `model` cannot see images. */
  "no_vision",
  /** What was to be added to a message is no PNG, JPEG, WebP or GIF. */
  "bad_image",
  /** The model thinks, but not at the level that was asked for. */
  "no_think_level",
  "out_of_memory",
  "window_full",
  "server_busy",
  "key_refused",
  "quota_used",
  /** Something answers there, but no server of this kind; `suggested` = where one does. */
  "wrong_address",
  "answer_filtered",
  "no_streaming",
  "server_error",
  "bad_answer",
  "incomplete",
  "no_model",
  "start_failed",
  /** The server read far less than was sent. */
  "prompt_cut",
  /** One message alone is larger than the window. */
  "message_too_large",
  "no_summary",
  /** A compaction would not make the prompt shorter. */
  "no_gain",
  // limits of a run
  "step_limit",
  "time_limit",
  "loop_detected",
  "repeated_text",
  "think_limit",
  /** The user wants the answer without further thinking. */
  "answer_now",
  "internal",
  "output_limit",
  "empty_answer",
  /** The model began a call that its server never sent. */
  "lost_call",
  "aborted",
  "interrupted",
  // sharing, trust, history
  /** The link was revoked, has expired, or never was. */
  "share_ended",
  "listen_failed",
  /** Somebody has to say first that this folder is trusted. */
  "untrusted",
  /** What is imported is in no form that is known. */
  "bad_import",
  /** What was there before was not kept. */
  "not_kept",
  "no_sandbox",
  // store
  "store_newer",
  "store_corrupt",
  "store_locked",
  "store_readonly",
  "store_failed",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What went wrong in a run or a command: a code, the raw words of whoever failed (for the details fold), and facts. */
export interface AgentError {
  readonly code: ErrorCode;
  readonly detail?: string;
  readonly facts?: { readonly [name: string]: Json };
}

export type Result<T, E = AgentError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const fail = (
  code: ErrorCode,
  detail?: string,
  facts?: AgentError["facts"],
): { readonly ok: false; readonly error: AgentError } => ({
  ok: false,
  error: { code, ...(detail === undefined ? {} : { detail }), ...(facts === undefined ? {} : { facts }) },
});
