/** What a card needs to draw a tool call, without knowing any tool's name. Data, never sentences. */
import type { CommandEffect } from "./command-effect";
import type { ErrorCode } from "./error";
import type { BlobId, Hash, TrashId } from "./id";
import type { Hunk } from "./text/diff";

export type ToolKind = "read" | "list" | "find" | "search" | "edit" | "write" | "delete" | "shell" | "other";

/** Measured facts of a call; words for them come from components/words. Lines are 1-based, sizes in bytes. */
export interface Facts {
  readonly exit?: number;
  readonly signal?: string;
  readonly matches?: number;
  readonly entries?: number;
  readonly fromLine?: number;
  readonly toLine?: number;
  readonly totalLines?: number;
  readonly bytes?: number;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Why a process group was ended before its own end. */
  readonly ended?: "timeout" | "aborted" | "output_limit" | "user";
  /** Background children that were ended with the call. */
  readonly killed?: number;
  /** The edit matched only after a step of the matching ladder. */
  readonly loose?: "endings" | "quotes" | "indent";
  /** The model's arguments were repaired (alias, type, JSON text). */
  readonly repaired?: boolean;
  /** It ran fenced in by the operating system. */
  readonly sandbox?: boolean;
  /** Files that changed, or may have, without a state before that could be kept: too large, too many. */
  readonly notKept?: number;
  readonly code?: ErrorCode;
  /** The rule or policy row that allowed or refused. */
  readonly rule?: string;
  /** Of a refused call: the blocked word, the protected name or the rule. */
  readonly refusedBy?: string;
  /** The part of the command it was found in. */
  readonly refusedPart?: string;
}

/** One file a call changed. `before` null = it did not exist; `after` null = it does not exist any more. */
export interface Change {
  readonly path: string;
  readonly before: BlobId | null;
  readonly after: Hash | null;
  readonly added: number;
  readonly removed: number;
  /** Absent when the difference is over `diffMaxLines` or not text. */
  readonly hunks?: readonly Hunk[];
  readonly trash?: TrashId;
}

/** What was left out of an output. `blob` holds all of it. Sizes in bytes. */
export interface Cut {
  readonly shown: number;
  readonly total: number;
  readonly blob?: BlobId;
}

/** One segment of a shell line as the parser saw it, for the approval card. */
export interface CommandPart {
  readonly text: string;
  readonly risk: "reads" | "rule" | "asks" | "refused";
  /** What it does, the riskiest first; absent in sessions of before. */
  readonly effects?: readonly CommandEffect[];
  /** How often it occurs in the command; absent = once. */
  readonly times?: number;
}

/** What would happen, shown before yes or no. */
export type Preview =
  | {
      readonly kind: "diff";
      readonly path: string;
      readonly created: boolean;
      readonly added: number;
      readonly removed: number;
      readonly hunks: readonly Hunk[];
      readonly loose?: Facts["loose"];
    }
  | {
      readonly kind: "command";
      readonly command: string;
      readonly cwd: string;
      readonly parts: readonly CommandPart[];
      readonly timeoutMs: number;
      /** It will run fenced in: the project can be written, the rest only read; with or without the network. */
      readonly sandbox?: { readonly network: boolean };
    }
  | {
      readonly kind: "delete";
      readonly path: string;
      readonly folder: boolean;
      readonly files: number;
      readonly bytes: number;
    };
