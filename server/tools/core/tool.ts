/**
 * The interface of a tool. Tools are stateless; locks, access, approval, truncation and the end of a call are not
 * their concern.
 */
import type * as z from "zod/mini";
import type { Block } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { BlobId, Hash } from "@/lib/events/id";
import type { ToolAccess } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import type { CallFileChange, CallFacts, CallPreview, ToolKind } from "@/lib/events/tool-kind";
import type { Json } from "@/lib/events/content";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { ToolEnvironment } from "@/server/workspace/projects/tool-environment";

/** User settings that a tool reads at each call. */
export type ToolSettings = Pick<
  Settings,
  "bashTimeoutSeconds" | "bashOutputBytes" | "readLines" | "grepMatches" | "findEntries"
>;

/** Limits of a result for the model and the card. It is also cut at an eighth of the context window. */
export interface ResultLimits {
  readonly bytes: number;
  /** head = keep the start; both = keep head and tail. */
  readonly keep: "head" | "both";
}

/** Everything a tool may access; `path` resolves within the granted access. */
export interface ToolContext extends ToolEnvironment {
  /** Whether the model accepts images. */
  readonly vision: boolean;
  readonly settings: ToolSettings;
  progress(text: string): void;
  /**
   * Durably commits file_change (path, snapshot, mode) before the write. `before` is null if the file does not exist
   * yet.
   */
  recordBeforeWrite(
    path: SafePath<"model">,
    before: { readonly bytes: Uint8Array; readonly mode: number } | null,
  ): Promise<BlobId | null>;
}

/** A failure the model can act on. `messageForModel`: one or two English sentences for the model, including the next step. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: AgentError["code"],
    readonly messageForModel: string,
    readonly facts: CallFacts = {},
  ) {
    super(messageForModel);
  }
}

export interface ToolResult {
  readonly output: readonly Block[];
  readonly facts: CallFacts;
  readonly changes?: readonly CallFileChange[];
  /** The call succeeded, but the command it ran reported failure (exit 1): drawn as failed, not a tool error. */
  readonly failed?: boolean;
  /** The whole output if the tool already shortened `output` (bash's spill). */
  readonly full?: { readonly bytes: number; readonly blob?: BlobId };
}

/** The file version the user approved (hash; null = no file); checked again at the write. */
export interface ApprovedVersion {
  readonly hash: Hash | null;
}

/** Validated input of a call. `repaired` is true if it differs from what the model sent. */
export interface AcceptedCall<I> {
  readonly ok: true;
  readonly input: I;
  readonly repaired: boolean;
}

export interface RefusedCall {
  readonly ok: false;
  /** One short sentence with an example call. */
  readonly messageForModel: string;
}

export type ParsedCall<I> = AcceptedCall<I> | RefusedCall;

export interface Tool<I = Json> {
  readonly name: string;
  readonly kind: ToolKind;
  /** One line or a few; from prompts/. */
  readonly description: string;
  readonly parameters: Json;
  limits(settings: ToolSettings): ResultLimits;
  /**
   * Validates the input after repairing aliases, numbers as strings and JSON in strings; fails with one short
   * sentence for the model.
   */
  parse(input: Json): ParsedCall<I>;
  /** The text of the card's line: a path, a pattern, a command. */
  target(input: I): string;
  /** Facts that are available before it runs (line range, timeout). */
  facts?(input: I, settings: ToolSettings): CallFacts;
  /** Declares the required access; checks nothing. */
  access(input: I): readonly ToolAccess[];
  /** Paths to lock for the whole call; bash locks the shell. */
  locks(input: I): { readonly paths: readonly string[]; readonly shell: boolean };
  /**
   * Builds the diff or command for the approval. Throws ToolError if the call cannot succeed (then no card is shown).
   */
  preview?(
    input: I,
    context: ToolContext,
    signal: AbortSignal,
  ): Promise<{ readonly preview: CallPreview; readonly seen?: ApprovedVersion }>;
  /**
   * Adapts a result that was cut to its head. `facts`: those of `kept`, the remaining text. `next`: how the model
   * gets the rest, a few ASCII words, at most `maxNextBytes` bytes (truncate.ts). Null = facts unchanged. Only for tools
   * with `keep: "head"`.
   */
  shortenFacts?(facts: CallFacts, kept: string): { readonly facts: CallFacts; readonly next: string } | null;
  /** Throws only ToolError. `seen` is the value preview returned. */
  run(input: I, context: ToolContext, signal: AbortSignal, seen?: ApprovedVersion): Promise<ToolResult>;
}

export type ZodInput<I> = z.ZodMiniType<I>;
