/** Declares the catalogue: tools that are not part of the prompt, described as data by the sources that offer them. */
import type { Json } from "@/lib/events/content";
import type { Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { Tool } from "../core/tool";

/**
 * Why a tool cannot be called now. off = the user switched it off; changed = its definition differs from the approved
 * one; unapproved = the user has not approved it yet; gone = its source does not offer it any more; unusable = its
 * definition cannot be presented (`detail` = why); window = the session's context window is smaller than `tokens`.
 */
export type Obstacle =
  | { readonly kind: "off" | "changed" | "unapproved" | "gone" }
  | { readonly kind: "unusable"; readonly detail: string }
  | { readonly kind: "window"; readonly tokens: number };

export interface CatalogueTool {
  /** Unique in the catalogue, as in `github__create_issue` or `skill:pdf`. The model calls it by this name. */
  readonly name: string;
  /** `id` of its source. */
  readonly source: string;
  /** Purpose of the tool, in the words of its source; "" = none. */
  readonly description: string;
  /** Said in the longest line of the catalogue in place of signature and first sentence, for a tool that is a text. */
  readonly details?: string;
  /** JSON Schema object in the subset of `parameter-shapes.ts`. */
  readonly parameters: Json;
  /** Null = it can be called. */
  readonly obstacle: Obstacle | null;
  /** Least context window of the sessions that can call it, tokens; absent = any. */
  readonly minWindow?: number;
  /** The user wants it near the start of the catalogue. */
  readonly isPinned: boolean;
  /** Runs its calls. `tool.name` equals `name`. */
  readonly tool: Tool;
  /**
   * Returns the text that goes with a message of a user who puts the tool into use, for a window of that many tokens.
   * Only of tools that are texts, such as skills. Rejects when the signal fires.
   */
  readonly attachment?: (place: AttachmentPlace, signal: AbortSignal) => Promise<Result<string>>;
}

/** The session that gets the text of an attachment. */
interface AttachmentPlace {
  readonly windowTokens: number;
  /** Its model can call the toolbox; otherwise it reads files with its other tools. */
  readonly hasToolbox: boolean;
}

/** Source whose tools are not listed in the catalogue: a call that names it is answered with the reason. */
export interface UnlistedSource {
  /** The start of its tools' names. */
  readonly id: string;
  /** The page of the settings on which the user can change that. */
  readonly page: "Tools" | "Extensions";
  /** Why none of its tools can be called; null = only `tools` cannot. */
  readonly obstacle: Obstacle | null;
  /** By the names that they would have in the catalogue. */
  readonly tools: readonly { readonly name: string; readonly obstacle: Obstacle }[];
}

export interface CatalogueSource {
  /** Unique among the sources with tools in a project, as in `github`; the start of its tools' names. */
  readonly id: string;
  /** The source's own text about its use; "" = none. */
  readonly instructions: string;
  /**
   * Returns its tools in a project, ordered by name: those stored, whether it runs or not. Returns the same list until
   * something changes.
   */
  tools(projectId: ProjectId): readonly CatalogueTool[];
  /** Returns what this source, or others of its kind, have in a project without listing it. Only called for a name that is not listed. */
  unlisted?(projectId: ProjectId): readonly UnlistedSource[];
  /**
   * For a source that reads files: awaited before a prompt is composed, a message of the project is sent or a run
   * continues. Rejects when the signal fires.
   */
  prepare?(projectId: ProjectId, signal: AbortSignal): Promise<void>;
}

/** The catalogue of one project. */
export interface Catalogue {
  /** Ordered by id. */
  readonly sources: readonly Pick<CatalogueSource, "id" | "instructions">[];
  /** Ordered by source, then by name. Names are unique: of two tools with one name, the first source's is here. */
  readonly tools: readonly CatalogueTool[];
  /** Returns what the sources have now without listing it. */
  readonly unlisted?: () => readonly UnlistedSource[];
}
