/** Trials of tools by the owner, in the settings. JSON-serialisable. */
import type { ImageRef, Json } from "../events/content";
import type { Hash } from "../events/id";

/** Result that a model would get; secrets are masked. */
export interface ToolTrial {
  readonly text: string;
  readonly images: readonly ImageRef[];
  /** The tool reports that it failed. */
  readonly failed: boolean;
}

/** A tool of this program or of an extension, as the settings list it. */
export interface OwnToolRow {
  /** The model calls it by this name. */
  readonly name: string;
  readonly source:
    | { readonly kind: "built_in" | "web" | "memory" | "subagent" | "channels" }
    | { readonly kind: "extension"; readonly name: string };
  /** Its first sentence. */
  readonly description: string;
  /** Estimated tokens of its definition. */
  readonly tokens: number;
}

/** A tool of the catalogue that can be called. */
export interface ToolOffer {
  /** The model calls it by this name. */
  readonly name: string;
  /** Its first sentence. */
  readonly description: string;
}

/** Call that a trial would make. */
export interface ToolTrialPreview {
  /** Source, and the tool's own name there. */
  readonly source: string;
  readonly tool: string;
  /** As it is sent: repaired, without empty fields. */
  readonly input: Json;
  /** Hash of the definition that the trial is bound to. */
  readonly definition: Hash;
}
