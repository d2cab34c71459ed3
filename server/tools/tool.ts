/** What a tool is. Stateless; made by defineTool; parse, locks, access, approval, truncation and the end live in agent/run-tool. */
import type * as z from "zod/mini";
import type { Block } from "@/lib/content";
import type { AgentError } from "@/lib/error";
import type { BlobId, Hash, TrashId } from "@/lib/id";
import type { Access } from "@/lib/policy";
import type { Settings } from "@/lib/settings";
import type { Change, Facts, Preview, ToolKind } from "@/lib/tool-kind";
import type { Json } from "@/lib/content";
import type { SafePath } from "../security/paths";
import type { Files, Shell } from "../workspace/workspace";
import type { Search } from "../workspace/search";

/** The user's limits a tool reads at each call. */
export type ToolSettings = Pick<
  Settings,
  "bashTimeoutSeconds" | "bashOutputBytes" | "readLines" | "grepMatches" | "findEntries"
>;

/** How much of a result goes to the model and the card. run-tool cuts by these and by an eighth of the window. */
export interface Limits {
  readonly bytes: number;
  /** head = keep the start; both = keep head and tail */
  readonly keep: "head" | "both";
}

/** The only way to the world for a tool. */
export interface ToolContext {
  /** A path within the access that was decided; throws ToolError otherwise. */
  path(text: string, use: "read" | "write"): SafePath<"model">;
  /**
   * An entry of a folder that was allowed, by the name `files.list` gave it: security/paths' childPath. Null when it is
   * protected or a link that leads out; a link inside becomes its target, so look at the entry's kind first.
   */
  child(folder: SafePath<"model">, name: string): SafePath<"model"> | null;
  /** How a path reads to the model: relative to the project with forward slashes. */
  readonly files: Files;
  readonly search: Search;
  readonly shell: Shell;
  /** The model can see images. */
  readonly vision: boolean;
  readonly settings: ToolSettings;
  progress(text: string): void;
  /** Stores bytes and names them. */
  keep(content: Uint8Array): Promise<BlobId>;
  /**
   * Commits file_change (path, before-image, mode) durably, before the effect. `before` null = the file does not exist yet.
   */
  willChange(
    path: SafePath<"model">,
    before: { readonly bytes: Uint8Array; readonly mode: number } | null,
  ): Promise<BlobId | null>;
  /** Moves a path to the trash and remembers it for Restore. */
  trash(path: SafePath<"model">): Promise<{ readonly trash: TrashId; readonly files: number; readonly bytes: number }>;
}

/** A failure the model can act on. `say` is one or two sentences for the model with the next step (English, goes into the result). */
export class ToolError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: AgentError["code"],
    readonly say: string,
    readonly facts: Facts = {},
  ) {
    super(say);
  }
}

export interface ToolResult {
  readonly output: readonly Block[];
  readonly facts: Facts;
  readonly changes?: readonly Change[];
  /** The call did what it should have, but what it ran reported failure (exit 1): drawn as failed, not a tool error. */
  readonly failed?: boolean;
  /** The whole output when `output` was already shortened by the tool (bash's spill). */
  readonly full?: { readonly bytes: number; readonly blob?: BlobId };
}

/** What preview and run must agree on: the state the user was shown (hash of the file), checked again at the write. */
export interface Seen {
  readonly hash: Hash | null;
}

export interface Tool<I = Json> {
  readonly name: string;
  readonly kind: ToolKind;
  /** One line or a few; from prompts/. */
  readonly description: string;
  readonly parameters: Json;
  limits(settings: ToolSettings): Limits;
  /** Aliases, numbers as strings, JSON in strings are repaired before; fails with one short sentence for the model. */
  parse(
    input: Json,
  ):
    | { readonly ok: true; readonly input: I; readonly repaired: boolean }
    | { readonly ok: false; readonly say: string };
  /** What the card's line names: a path, a pattern, a command. */
  target(input: I): string;
  /** Facts known before it runs (line range, timeout). */
  facts?(input: I, settings: ToolSettings): Facts;
  /** Declares; checks nothing. */
  access(input: I): readonly Access[];
  /** Paths whose lock the call holds from decision to end; bash locks the shell. */
  locks(input: I): { readonly paths: readonly string[]; readonly shell: boolean };
  /** The diff or command shown before yes or no. Throws ToolError when the call cannot work (no card then). */
  preview?(
    input: I,
    context: ToolContext,
    signal: AbortSignal,
  ): Promise<{ readonly preview: Preview; readonly seen?: Seen }>;
  /**
   * Of a result whose head alone is told: `facts` as they are of `kept`, what is left of its text, and `next`, how the model gets
   * the rest (a few ASCII words, at most `nextBytes` of truncate); null = they stay. Only for tools that keep the head.
   */
  shortened?(facts: Facts, kept: string): { readonly facts: Facts; readonly next: string } | null;
  /** Throws ToolError only. `seen` is what preview returned. */
  run(input: I, context: ToolContext, signal: AbortSignal, seen?: Seen): Promise<ToolResult>;
}

export type ZodInput<I> = z.ZodMiniType<I>;
