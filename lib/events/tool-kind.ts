/** Data for rendering a tool call independently of the tool's name. */
import type { CommandEffect } from "../permissions/command-effect";
import type { PolicyReason } from "../permissions/policy";
import type { Json } from "./content";
import type { ErrorCode } from "./error";
import type { BlobId, Hash, SessionId, TrashId } from "./id";
import type { Hunk } from "../text/diff";

/** missing = the host was not found; unreadable = what it sent is no page that can be read. */
export type WebFailure = "not_public" | "timeout" | "missing" | "unreachable" | "unreadable";

/** A file in the result of a tool of another program. */
export interface ResultFile {
  /** File name, never a path. */
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  readonly blob: BlobId;
}

/**
 * Why the files of a project could not all be compared before and after a command: there are too many, or it took too
 * long.
 */
export type UndoGap = "too_many_files" | "time";

/**
 * Access that the sandbox probably denied to a command that failed: writing a file, the network, other programs of this machine
 * (local), or keys, passwords and sockets (hidden).
 */
export type SandboxFailure = "files" | "network" | "local" | "hidden";

/** Measured facts of a call. Lines are 1-based, sizes in bytes. */
export interface CallFacts {
  readonly exit?: number;
  readonly signal?: string;
  readonly matches?: number;
  readonly entries?: number;
  /** There are more matches or entries than the output has. */
  readonly more?: true;
  readonly fromLine?: number;
  readonly toLine?: number;
  readonly totalLines?: number;
  /** Position in a page at which the shown part begins, UTF-16 units. */
  readonly fromChar?: number;
  readonly bytes?: number;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Why a process group was terminated. */
  readonly ended?: "timeout" | "aborted" | "output_limit" | "user";
  /** Number of background children terminated with the call. */
  readonly killed?: number;
  /** The command ran with limits because it was not approved, and its output has the message of a program that reached one. */
  readonly limited?: boolean;
  /** The edit matched only after a step of the matching ladder. */
  readonly loose?: "endings" | "quotes" | "indent";
  /** The model's arguments were repaired (alias, type, JSON text). */
  readonly repaired?: boolean;
  /** The command ran in the sandbox. */
  readonly sandbox?: boolean;
  readonly sandboxFailure?: SandboxFailure;
  /** The folder in which such a command, or one that was refused by name, starts, if it is not the project's. */
  readonly startFolder?: string;
  /** Files that changed, or may have changed, whose previous content could not be stored: too large or too many. */
  readonly notKept?: number;
  /** Folders such as node_modules in which the command changed something: their files are never stored. */
  readonly skippedFolders?: readonly string[];
  /** Why the changes of a command cannot be undone as a whole. */
  readonly undoGap?: UndoGap;
  readonly code?: ErrorCode;
  /** The rule or policy row that made the decision. */
  readonly rule?: string;
  /** For a refused call: the blocked word, protected name, rule or gate. */
  readonly refusedBy?: string;
  /** The part of the command that contains it. */
  readonly refusedPart?: string;
  /** Explanation that the gate gives. */
  readonly refusedWords?: string;
  /** The session of a subagent, from the start of its call; the session may not exist yet, or any more. */
  readonly subagent?: SessionId;
  /** Steps of a subagent, and the tokens of its conversation. */
  readonly steps?: number;
  readonly tokens?: number;
  /** Why a subagent did not finish; limit = another limit than those of time and of repeated calls. */
  readonly unfinished?: "limit" | "time" | "loop" | "stopped";
  /** Why a page of the web could not be read, and the host it is about. */
  readonly webFailure?: WebFailure;
  readonly host?: string;
  /** The person whom a message was sent to: the hash of messenger and id, since a name can pass to another person. */
  readonly receiver?: string;
  /** Files that the result has beside its text. */
  readonly files?: readonly ResultFile[];
  /** A change of the memory, by which it is undone: the file, the added line and what it replaced. */
  readonly memoryFile?: string;
  readonly memoryLine?: string;
  readonly memoryReplaced?: string;
  /** Position of each replaced line, in lines from the place of the added one. */
  readonly memoryReplacedAt?: readonly number[];
}

/** A file changed by a call. `before` null = it did not exist; `after` null = it no longer exists. */
export interface CallFileChange {
  readonly path: string;
  readonly before: BlobId | null;
  readonly after: Hash | null;
  readonly added: number;
  readonly removed: number;
  /** Absent if the diff exceeds `diffMaxLines` or the file is not text. */
  readonly hunks?: readonly Hunk[];
  readonly trash?: TrashId;
}

/** Truncation of an output. `blob` holds the full output. Sizes in bytes. */
export interface OutputTruncation {
  readonly shown: number;
  readonly total: number;
  readonly blob?: BlobId;
}

/** A cut of one line: the word at `at` is incomplete, because the text before or after it was left out. */
export interface LineCut {
  readonly at: number;
  readonly lost: "before" | "after";
}

/**
 * Positions at which the program shortened an output or wrote into it, in UTF-16 units of its text block. They are recorded
 * because the output of a file or command may contain the same words as the program's notes.
 */
export interface CutPositions {
  /** Ascending. */
  readonly lines?: readonly LineCut[];
  /** The note in place of the omitted part, with its line breaks; empty where there was no room for one. */
  readonly note?: { readonly from: number; readonly to: number };
  /** Start of the output, after a note that what came before was left out. */
  readonly start?: number;
  /** Start of the line with the end of a command, with the line break before it. */
  readonly ending?: number;
}

/** One simple command of a shell line as parsed, for the approval card. */
export interface CommandPart {
  readonly text: string;
  readonly risk: "reads" | "rule" | "asks" | "refused";
  /** Highest risk first; absent in old sessions. */
  readonly effects?: readonly CommandEffect[];
  /** Number of occurrences in the command; absent = 1. */
  readonly times?: number;
}

/** Preview of an operation in an approval request. */
export type CallPreview =
  | {
      readonly kind: "diff";
      readonly path: string;
      readonly created: boolean;
      readonly added: number;
      readonly removed: number;
      readonly hunks: readonly Hunk[];
      readonly loose?: CallFacts["loose"];
      /** The file has no write permission for any user. */
      readonly readOnly?: boolean;
    }
  | {
      readonly kind: "command";
      readonly command: string;
      readonly cwd: string;
      readonly parts: readonly CommandPart[];
      readonly timeoutMs: number;
      /** The command will run in the sandbox: project writable, everything else read-only; with or without network. */
      readonly sandbox?: { readonly network: boolean };
      /** The changes of the command cannot be undone. */
      readonly noUndo?: boolean;
      /** It asks only because it needs the network, which its sandbox does not have. */
      readonly needsNetwork?: boolean;
    }
  | {
      readonly kind: "delete";
      readonly path: string;
      readonly folder: boolean;
      readonly files: number;
      readonly bytes: number;
    }
  /** A call of a tool of another program. */
  | {
      readonly kind: "external";
      /** Source and the tool's own name there. */
      readonly source: string;
      readonly tool: string;
      readonly input: Json;
      /** Description of the tool by its source; "" = it has none. */
      readonly description: string;
      /** The tool with its parameters as they are now, in one line; absent in calls of older versions. */
      readonly signature?: string;
      /** Why it asks, besides the mode. */
      readonly why?: ExternalReason;
      /** Path of the folder that is not trusted, if it asks because of that. */
      readonly folder?: string;
      /** The request, for a call to the web or to an API. */
      readonly request?: ExternalRequest;
    };

export interface ExternalRequest {
  /** The hosts that get the input. */
  readonly hosts: readonly string[];
  /** The whole address if the model chose it, or if its input is a part of it. */
  readonly url?: string;
  /** Only of an API, whose requests have more than their address. */
  readonly method?: string;
}

/** Reasons to ask for an external call which its card explains. */
export const externalReasons = [
  "first_use",
  "changed_definition",
  "new_host",
  "unseen_url",
  "holds_secret",
  "read_external",
  "untrusted_folder",
  "all_projects",
  "first_message",
  "sends_file",
] as const satisfies readonly PolicyReason[];
export type ExternalReason = (typeof externalReasons)[number];
