/** Context sources: what the model is given beside the conversation (project, mode, notices), described as data. */
import type { Block, ContextKind, ContextTopic } from "@/lib/events/content";
import type { ProjectId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";

export type ContextBlock = Extract<Block, { type: "context" }>;

/** Places of blocks: before a user message, at the end of a tool result, in the head of a compaction. */
export type ContextPlace = "message" | "result" | "compaction";

/**
 * Condition for sending a text, besides that `text` is not null. It is compared with what the compiled context still
 * contains, so that a text which a compaction or a rewind removed counts as not sent.
 * - when_absent: the context contains no text of the topic. The first message, and again after a removal.
 * - when_changed: it differs from the newest text of the topic in the context, else from `assumed`.
 * - when_due: always; `text` itself decides.
 */
type ContextResend = "when_absent" | "when_changed" | "when_due";

/** State of the session's shell that the log does not contain. */
interface ShellNotices {
  /** The user restarted the shell, and the model has no notice of it yet. */
  readonly isRestarted: boolean;
  /** The shell replaces one of an earlier process, and the model has no notice of it yet. */
  readonly isReplaced: boolean;
}

/** Texts about the project, from its last listing. */
export interface ProjectTexts {
  /** Environment, tree and guide; null = not available yet. */
  snapshot(maxTokens: number): string | null;
  /** The last snapshot was made before the files were listed. */
  isTreePending(): boolean;
  /** "" = no files; null = not listed yet. */
  tree(maxTokens: number): string | null;
}

/** Instructions for agents in a folder of the project. `name` = path of the file in the project. */
export interface FolderGuide {
  readonly name: string;
  readonly text: string;
}

/** Input that all sources of one place share. Functions compute their value when called. */
export interface ContextFacts {
  readonly view: SessionView;
  /** Text of the user message; "" at other places. */
  readonly message: string;
  /** Kind of the tool whose result is ending; null at other places. */
  readonly tool: string | null;
  /** The window in tokens of our own estimate. */
  window(): number;
  readonly project: ProjectTexts;
  /** The tools that the toolbox leads to, without those of the prompt itself. */
  catalogue(): Catalogue;
  /** Names of its tools whose calls the user approved in the project before the session began. */
  usedTools(): ReadonlySet<string>;
  /** Guides of the folders that the ending call touched, outer first; none at other places. */
  readonly guides: readonly FolderGuide[];
  /** Paths of the pinned files that exceed their budget. */
  evictedPins(): readonly string[];
  readonly shell: ShellNotices;
}

export interface ContextInput extends ContextFacts {
  /** The newest text of the topic that the compiled context contains; null = none. */
  last(): string | null;
  /** `share` of the window, for the place; Infinity without a share. The text should not exceed it. */
  maxTokens(): number;
  /** Topics of the blocks before it at the same place. */
  readonly before: readonly ContextTopic[];
}

/** Returns the text to send, without its element; null = nothing to send. Depends on its input and nothing else. */
export type ContextText = (input: ContextInput) => string | null;

export interface ContextSource {
  readonly topic: ContextTopic;
  /** Kind by which the block is stored and shown. */
  readonly kind: ContextKind;
  /** The places where it may be sent, each with its position there (ascending). */
  readonly order: Partial<Readonly<Record<ContextPlace, number>>>;
  /**
   * Most tokens of its text in a window of `window` tokens. Absent = a notice of a few lines. At the place
   * "compaction", a text with a share is computed again and cut to it; a notice is repeated as it was sent.
   */
  share?(window: number): number;
  readonly resend: ContextResend;
  /** Text the model assumes while the context contains none; for when_changed. */
  readonly assumed?: string;
  readonly text: ContextText;
  /**
   * For a source that reads files or a database: awaited before a message of the project is sent or a run continues.
   * Returns the text of all blocks until the next call; before the first one, `text` applies.
   */
  prepare?(projectId: ProjectId, signal: AbortSignal): Promise<ContextText>;
}
