/** Message content. JSON-serialisable; the same shape is stored and sent to browsers. */
import type { BlobId, CallId } from "./id";
import type { StyleSpan } from "../text/ansi-styles";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** Whether it is an object, and no list. */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isJsonObject = (value: Json | undefined): value is JsonObject => isRecord(value);

export type Role = "user" | "assistant";

/** Why a message ended. Tool calls are run only after `done`. */
export type StopReason = "done" | "length" | "error" | "aborted" | "interrupted";

/** Context sent to the model once, inside a user message or at the end of a tool result. */
export type ContextKind = "snapshot" | "notice";
/** Subject of a context block; a newer block of the same topic supersedes older ones. */
export type ContextTopic =
  | "project"
  | "tree"
  | "mode"
  | "shell"
  | "model"
  | "guard"
  | "files"
  | "pins"
  | "toolbox"
  /** Role and limits of a subagent. */
  | "subagent"
  /** Files of the memory about the user and the assistant. */
  | "owner"
  /** Notes of the memory. */
  | "memory"
  /** Changes that the user rejected. */
  | "review"
  /** Instructions of a folder of the project. */
  | "guide";

/** The field of an answer in which a server sends the model's reasoning. */
export type ReasoningField = "reasoning_content" | "reasoning" | "thinking";

export type Block =
  /** `styles` = colours of a command's output for display, never sent to the model; absent if the text was cut. */
  | { readonly type: "text"; readonly text: string; readonly styles?: readonly StyleSpan[] }
  /** `from` = the server that sent it apart from the text, and its field; absent = it was read from the text. */
  | {
      readonly type: "thinking";
      readonly text: string;
      readonly tookMs?: number;
      readonly from?: { readonly server: string; readonly field: ReasoningField };
    }
  /**
   * `input` is the model's arguments: usually an object, the raw text if they are not valid JSON. `raw` = the answer
   * text from which the call was parsed, for calls written as text; empty = the text is in an earlier answer, and the
   * user decided to run the call. `from` = the id that its server gave it; absent = none.
   * `repaired` = its server could not read it.
   */
  | {
      readonly type: "call";
      readonly callId: CallId;
      readonly name: string;
      readonly input: Json;
      readonly raw?: string;
      readonly from?: { readonly server: string; readonly id: string };
      readonly repaired?: true;
    }
  | { readonly type: "image"; readonly mime: string; readonly blob: BlobId }
  | { readonly type: "context"; readonly kind: ContextKind; readonly topic: ContextTopic; readonly text: string }
  | ReferenceBlock;

/**
 * Why a call that an answer contains as text was not run: the text before it announces an example, it is part of a
 * sentence, or text after it explains it.
 */
export type UnrunReason = "example" | "sentence" | "explained";

/** A complete call of an offered tool that an answer contains as text, and that was not run. */
export interface UnrunCall {
  readonly name: string;
  readonly input: Json;
  readonly reason: UnrunReason;
}

/** Lines from `first` to `last`, counted from 1, both included. */
export interface ReferencedLines {
  readonly first: number;
  readonly last: number;
}

/**
 * Content that the user added to a message, as it was when the message was accepted: lines of a file, the tree of a
 * folder, or a text such as output of a terminal.
 */
export interface ReferenceBlock {
  readonly type: "reference";
  readonly kind: "file" | "folder" | "text";
  /** The path, or the name of a text. */
  readonly label: string;
  /** The lines of it; absent = the whole. */
  readonly lines?: ReferencedLines;
  readonly text: string;
  /** The file is pinned: the program added it, not this message's author. */
  readonly pinned?: true;
  /** The text is the output of a command of the user: the program added it, not this message's author. */
  readonly command?: true;
  /** The text is that of the skill named by the label, which the message puts into use. */
  readonly skill?: true;
  /** Added for the model after the text. */
  readonly note?: string;
}

/** Reference to a stored image attached to a user message. */
export interface ImageRef {
  readonly blob: BlobId;
  readonly mime: string;
}

/** Returns the images of a message, in order. */
export const messageImageRefs = (blocks: readonly (Block | { readonly type: "input" })[]): readonly ImageRef[] =>
  blocks.flatMap((block) => (block.type === "image" ? [{ blob: block.blob, mime: block.mime }] : []));

/** Returns the references of a message, in order. */
export const referenceBlocks = (blocks: readonly (Block | { readonly type: "input" })[]): readonly ReferenceBlock[] =>
  blocks.flatMap((block) => (block.type === "reference" ? [block] : []));

/** Formats the name of a reference with its lines: `src/a.ts:10-40`. */
export const referenceName = ({ label, lines }: Pick<ReferenceBlock, "label" | "lines">): string =>
  lines === undefined ? label : `${label}:${lines.first}-${lines.last}`;

/** Content of a message besides its text. */
export interface Attachments {
  readonly images?: readonly ImageRef[];
  readonly references?: readonly ReferenceBlock[];
}

/** Returns an object without the empty lists, for spreading into a message. */
export const optionalAttachments = <I, R>({
  images = [],
  references = [],
}: {
  readonly images?: readonly I[];
  readonly references?: readonly R[];
}): { readonly images?: readonly I[]; readonly references?: readonly R[] } => ({
  ...(images.length === 0 ? {} : { images }),
  ...(references.length === 0 ? {} : { references }),
});

/** Blocks of a user's message. The request follows the references it is about. */
export const userBlocks = (text: string, { images = [], references = [] }: Attachments): readonly Block[] => [
  ...references,
  { type: "text", text },
  ...images.map(({ blob, mime }): Block => ({ type: "image", mime, blob })),
];

/** Token counts and times (ms) of one answer, as reported by the model server. */
export interface Usage {
  readonly promptTokens: number;
  /**
   * As reported by the server; otherwise estimated from the unchanged prefix of the previous request. Absent = unknown.
   */
  readonly cachedTokens?: number;
  /** `cachedTokens` is an estimate. */
  readonly cachedAbout?: boolean;
  readonly estimatedPromptTokens: number;
  readonly outputTokens: number;
  readonly loadMs: number;
  readonly promptMs: number;
  readonly outputMs: number;
  /**
   * Time from the request to the first part of the answer, including queueing and loading; absent = no output, or not
   * measured.
   */
  readonly firstTokenMs?: number;
  /** The host that a router names as the one that answered, one short line; only displayed. */
  readonly servedBy?: string;
}

/** Returns the text of all text blocks, joined by blank lines. */
export const joinTextBlocks = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
