/** Extensions: folders or single files of scripts with tools, slash commands, listeners and a gate. */
import type { AgentError } from "../events/error";
import type { Hash } from "../events/id";
import type { Hunk } from "../text/diff";

/** Why an extension cannot be used. */
const extensionProblemKinds = [
  "no_definition",
  "broken_yaml",
  "not_a_map",
  "definition_large",
  "not_text",
  "unreadable",
  "link",
  "bad_name",
  "reserved_name",
  "same_extension",
  "source_taken",
  "too_many_files",
  "files_large",
  "too_deep",
  "empty",
] as const;

/** Why a part of an extension is off, or what is unusual about it. */
type ExtensionNoticeKind =
  | "unknown_key"
  | "bad_value"
  | "missing_key"
  | "bad_part_name"
  | "built_in_name"
  | "same_name"
  | "bad_parameters"
  | "bad_time"
  | "bad_event"
  | "bad_variable"
  | "no_file"
  | "no_interpreter"
  | "not_executable"
  | "name_taken"
  | "broken_approval";

export interface ExtensionProblem {
  readonly kind: (typeof extensionProblemKinds)[number] | ExtensionNoticeKind;
  /** Path of the file that it is about. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** A key, name, path, or command. */
  readonly detail?: string;
  readonly limit?: number;
}

const problems: ReadonlySet<string> = new Set(extensionProblemKinds);

/** Whether the extension cannot be used because of it. */
export const isExtensionProblem = ({ kind }: ExtensionProblem): boolean => problems.has(kind);

/** Events that a listener gets, in the order of a session. */
export const extensionEvents = [
  "session_start",
  "model_change",
  "run_start",
  "user_message",
  "retry",
  "answer",
  "tool_start",
  "approval_request",
  "file_change",
  "tool_end",
  "compaction",
  "error",
  "run_end",
] as const;
export type ExtensionEvent = (typeof extensionEvents)[number];

/**
 * off = not enabled; changed = its files are not those that were enabled; gone = it was enabled and is not there any more;
 * unusable = its problems have the reason.
 */
export type ExtensionStatus = "on" | "off" | "changed" | "gone" | "unusable";

/** data = the program's own folder; project = a folder of the project. */
export type ExtensionPlaceName = "data" | "project";

interface ExtensionToolView {
  readonly name: string;
  /** As the model calls it. */
  readonly catalogueName: string;
  /** In the words of its author. */
  readonly description: string;
  /** The tool with its parameters, in one line. */
  readonly signature: string;
  readonly run: readonly string[];
  readonly timeoutMs: number;
}

interface ExtensionCommandView {
  readonly name: string;
  readonly description: string;
  /** Text with `$ARGUMENTS` and `$1`; null = `run` writes the text. */
  readonly prompt: string | null;
  readonly run: readonly string[] | null;
}

interface ExtensionListenerView {
  readonly events: readonly ExtensionEvent[];
  readonly match: string | null;
  readonly run: readonly string[];
  /** One process for all events. */
  readonly isKept: boolean;
}

/** Change of a file since its extension was enabled. */
export type ExtensionFileChange = "added" | "changed" | "removed";

export interface ExtensionFileView {
  /** In the folder of the extension. */
  readonly path: string;
  readonly bytes: number;
  /** Absent = the file is as it was enabled, or that is not known. */
  readonly change?: ExtensionFileChange;
}

export interface ExtensionFileText {
  /**
   * Text of the file; for a removed file the text that was enabled. null = it is not text; for a removed file: it is not known.
   */
  readonly text: string | null;
  /** Only the beginning of a longer file. */
  readonly isCut: boolean;
  readonly change?: ExtensionFileChange;
  /** Difference of a changed file; absent if the enabled text is not known, or the difference is too long. */
  readonly hunks?: readonly Hunk[];
}

export interface ExtensionView {
  /** Its folder or file; identifies it. */
  readonly path: string;
  readonly name: string;
  readonly place: ExtensionPlaceName;
  /** A single file. */
  readonly isFile: boolean;
  readonly description: string;
  readonly status: ExtensionStatus;
  /** It had a gate when it was enabled: while it is changed or gone, every call asks. */
  readonly hadGate: boolean;
  /** Hash of its files, by which it is enabled; null = they cannot be read. */
  readonly hash: Hash | null;
  /** Ordered by path. Of a changed extension also the files that it had when it was enabled. */
  readonly files: readonly ExtensionFileView[];
  /** Variables of the environment that its scripts get beside the usual ones. */
  readonly variables: readonly { readonly name: string; readonly isSet: boolean }[];
  readonly tools: readonly ExtensionToolView[];
  readonly commands: readonly ExtensionCommandView[];
  readonly listeners: readonly ExtensionListenerView[];
  /** The script that is asked before each call of a tool. */
  readonly gate: readonly string[] | null;
  readonly problems: readonly ExtensionProblem[];
}

export interface ExtensionPlaceView {
  readonly kind: ExtensionPlaceName;
  readonly path: string;
  readonly exists: boolean;
  /** Ordered by name. */
  readonly extensions: readonly ExtensionView[];
  /** Extensions beyond the limit, which are not read. */
  readonly more: number;
}

export interface ExtensionsState {
  /** False = the folder of the project is not read. */
  readonly isTrusted: boolean;
  /** Why it is not known what the user enabled: nothing is on, and every call of a tool asks. Has the `path` of the file. */
  readonly problem?: AgentError;
  readonly places: readonly ExtensionPlaceView[];
}

export const extensionTemplates = ["bash", "node", "python"] as const;
export type ExtensionTemplate = (typeof extensionTemplates)[number];

/** Longest name of an extension, which begins the names of its tools. */
export const extensionNameMaxChars = 24;

/** Lower-case letters, digits, `-` and single `_`, beginning and ending with a letter or digit. */
export const isExtensionName = (name: string): boolean =>
  name.length <= extensionNameMaxChars && /^[a-z0-9](?:[a-z0-9-]|_(?!_))*$/.test(name) && !/[-_]$/.test(name);

/** A slash command that an extension or a Markdown file of commands offers. */
export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  /** Name of its extension, or path of its file. */
  readonly from: string;
  /** Its text is written by a script. */
  readonly isScript: boolean;
}
