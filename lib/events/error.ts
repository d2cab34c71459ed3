/**
 * Error codes and the Result type. Programs branch on the code, never on text; the messages are in components/messages.
 */
import type { AnyFacts, ErrorFacts } from "./error-facts";

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
  /** `config.yaml` has a syntax error in `line`; settings cannot be written to it until it is corrected. */
  "config_invalid",
  "models_invalid",
  /** The file `path` with what the owner decided cannot be read, so it is not written. */
  "unreadable_file",
  /** The session is deleted and must be restored first. */
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
  /** The text contains a `character` that the file's `encoding` cannot represent, first in `line`. */
  "unencodable",
  "bad_path",
  "unreadable_name",
  "broken_link",
  /** No formatter for files with this `extension` is installed. */
  "no_formatter",
  /** The formatter `name` reported an error. */
  "format_failed",
  // git
  /** Another program holds the lock `path` since `seconds`. */
  "git_locked",
  /** The file has the filter `name` of the repository, which is not run. */
  "filter_off",
  /** The repository has no commit yet. */
  "no_commit",
  /** The work tree has changes in `files`, or `commits` that the project's branch lacks. */
  "not_merged",
  /** Nothing is staged that a commit could contain. */
  "nothing_staged",
  /** Git has no name and e-mail for the user's commits. */
  "no_identity",
  /** A hook of the repository refused; its output is the detail. */
  "hook_failed",
  /** `files` paths are in conflict, `path` first. */
  "conflicts_left",
  /** Changes that are not committed, or an untracked file, would be lost: `path` first. */
  "local_changes",
  /** A merge, a rebase or the like is unfinished. */
  "git_unfinished",
  /** It has to be done in a terminal, by `command`. */
  "needs_terminal",
  // edit
  "no_match",
  "ambiguous",
  "no_change",
  /** There are no changes that a reference could contain. */
  "no_changes",
  "placeholder",
  // tools
  "unknown_tool",
  /** The session's prompt has the tool, but nothing offers it any more. */
  "tool_missing",
  /** The user switched it off. */
  "tool_off",
  /** It is defined otherwise than the user approved. */
  "tool_changed",
  /** The user has not approved it yet. */
  "not_approved",
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
  /** `host` could not be read, answered with `status`, or redirects to a `privateHost`; what has arrived is kept. */
  "download_failed",
  /** The downloaded file is not the one that was requested; it was deleted. */
  "wrong_checksum",
  /** No program of the built-in engine was found on this machine; `program` = the chosen path, `place` = what is there. */
  "engine_missing",
  /** The downloaded archive is damaged, or would write outside of its folder. */
  "bad_archive",
  /** The built-in engine ended by itself; `exit` = how. */
  "engine_ended",
  /** The built-in engine does not run on this system; `library` = what the system lacks. */
  "engine_incompatible",
  /** The graphics card, or its driver, failed while the built-in engine used it. */
  "graphics_failed",
  /** The model's file is damaged, or is no model. */
  "model_file_broken",
  /** The built-in engine does not support this `architecture`. */
  "model_unsupported",
  /** The `model` cannot see images. */
  "no_vision",
  /** The attachment is not a PNG, JPEG, WebP or GIF image. */
  "bad_image",
  /** The model supports thinking, but not the requested level. */
  "no_think_level",
  "out_of_memory",
  "window_full",
  "server_busy",
  "key_refused",
  "quota_used",
  /** The address answers, but not with the expected API; `suggested` = an address that does. */
  "wrong_address",
  /** The port of `host` speaks `speaks`: http in place of https, or the reverse. */
  "wrong_scheme",
  "answer_filtered",
  "no_streaming",
  "server_error",
  "bad_answer",
  /** The server could not read the model's answer; `toolMode` = calls are read from its text from now on. */
  "unparsed_answer",
  "incomplete",
  "no_model",
  "start_failed",
  /** The server truncated the prompt: it counted far fewer tokens than were sent. */
  "prompt_cut",
  /** A single message exceeds the context window. */
  "message_too_large",
  "no_summary",
  /** Compaction would not shorten the prompt. */
  "no_gain",
  // limits of a run
  "step_limit",
  "time_limit",
  "loop_detected",
  "repeated_text",
  "think_limit",
  /** The user requested the answer without further thinking. */
  "answer_now",
  /** A `feature` of the program could not be loaded or started. */
  "feature_failed",
  "internal",
  "output_limit",
  "empty_answer",
  /** The model announced a tool call that the server did not deliver. */
  "lost_call",
  /** The server refused the schema of `tools`, which are left out from now on; without them it did not tell which. */
  "tool_refused",
  /** Several calls arrived without their arguments: the parser of the `model`'s server loses them. */
  "lost_arguments",
  "aborted",
  "interrupted",
  // sharing, trust, history
  /** The link was revoked, has expired or never existed. */
  "share_ended",
  "listen_failed",
  /** The folder is not trusted. */
  "untrusted",
  /** The imported file has no supported format. */
  "bad_import",
  /** The previous content was not stored. */
  "not_kept",
  "no_sandbox",
  /** The shell does not exist, is not executable, or did not start. */
  "bad_shell",
  /** The module for terminals cannot be loaded on this machine. */
  "terminal_unavailable",
  // store
  "store_newer",
  "store_corrupt",
  "store_locked",
  "store_no_locks",
  "store_readonly",
  "store_failed",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Error of a run or a command: code, original message of the failing component (shown as details) and facts. */
export type AgentError<Code extends ErrorCode = ErrorCode> = {
  readonly [C in Code]: { readonly code: C; readonly detail?: string; readonly facts?: ErrorFacts[C] };
}[Code];

export type Result<T, E = AgentError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const fail = <Code extends ErrorCode>(
  code: Code,
  detail?: string,
  facts?: ErrorFacts[Code],
): { readonly ok: false; readonly error: AgentError<Code> } => ({ ok: false, error: { code, detail, facts } });

/** Returns the facts for a reader that does not depend on the code. */
export const anyFacts = (error: AgentError | undefined): AnyFacts => error?.facts ?? {};

/** Returns an error whose code is a variable. */
export const makeError = <Code extends ErrorCode>(
  code: Code,
  details: Pick<AgentError<Code>, "detail" | "facts"> = {},
): AgentError<Code> => ({ code, ...details });

/** Returns the error with more facts. */
export const withFacts = <Code extends ErrorCode, E extends AgentError<Code>>(
  error: E & { readonly code: Code },
  facts: ErrorFacts[Code],
): E => ({
  ...error,
  facts: { ...error.facts, ...facts },
});

/** Returns the message of a thrown value, which need not be an Error. */
export const thrownText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
