/** What a message is made of. Serialisable data only; stored as it is and sent to browsers as it is. */
import type { BlobId, CallId } from "./id";
import type { StyleSpan } from "./text/ansi-styles";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type Role = "user" | "assistant";

/** Why a message ended. `done` is the only one whose calls are run. */
export type StopReason = "done" | "length" | "error" | "aborted" | "interrupted";

/** Facts told to the model once, inside a user message or at the end of a tool result. */
export type ContextKind = "snapshot" | "notice";
/** What it is about: the newest of a topic is what the model knows. */
export type ContextTopic = "project" | "tree" | "mode" | "shell" | "model" | "guard" | "files";

export type Block =
  /** `styles` = the colours of a command's output, for people only; absent when the text was cut. */
  | { readonly type: "text"; readonly text: string; readonly styles?: readonly StyleSpan[] }
  | { readonly type: "thinking"; readonly text: string; readonly tookMs?: number }
  /**
   * `input` is what the model wrote: an object as a rule, the raw text when it was not JSON. `raw` = the call stood as
   * text in the answer and was read from these words.
   */
  | {
      readonly type: "call";
      readonly callId: CallId;
      readonly name: string;
      readonly input: Json;
      readonly raw?: string;
    }
  | { readonly type: "image"; readonly mime: string; readonly blob: BlobId }
  | { readonly type: "context"; readonly kind: ContextKind; readonly topic: ContextTopic; readonly text: string };

/** A stored image that goes with a user's message. */
export interface ImageRef {
  readonly blob: BlobId;
  readonly mime: string;
}

/** The images of a message, in order. */
export const imagesOf = (blocks: readonly (Block | { readonly type: "input" })[]): readonly ImageRef[] =>
  blocks.flatMap((block) => (block.type === "image" ? [{ blob: block.blob, mime: block.mime }] : []));

/** The optional field of a message that has images. */
export const withImages = (images: readonly ImageRef[]): { readonly images?: readonly ImageRef[] } =>
  images.length === 0 ? {} : { images };

export const imageBlocks = (images: readonly ImageRef[] = []): readonly Block[] =>
  images.map(({ blob, mime }) => ({ type: "image", mime, blob }));

/** Counts and times of one answer as the model server reports them; tokens and milliseconds. */
export interface Usage {
  readonly promptTokens: number;
  /** As told; where the server tells none, by what is known to be unchanged since its last request. Absent = not known. */
  readonly cachedTokens?: number;
  /** `cachedTokens` is an estimate. */
  readonly cachedAbout?: boolean;
  readonly estimatedPromptTokens: number;
  readonly outputTokens: number;
  readonly loadMs: number;
  readonly promptMs: number;
  readonly outputMs: number;
  /** From the request to the first piece of the answer, waiting and loading included; absent = nothing came, or not measured. */
  readonly firstTokenMs?: number;
}

/** The text of the text blocks, joined by blank lines. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
