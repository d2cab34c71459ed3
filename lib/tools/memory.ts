/** Names of the files and tools of the memory, and what its settings page shows. */
import type { Json } from "../events/content";
import type { Hash } from "../events/id";
import type { AgentError } from "../events/error";

/** Files about the user and the assistant, in the order in which the model gets them. */
export const ownerFileNames = ["IDENTITY.md", "SOUL.md", "USER.md", "TOOLS.md", "AGENTS.md"] as const;

export const isOwnerFile = (name: string): name is (typeof ownerFileNames)[number] =>
  ownerFileNames.some((one) => one === name);

/** Notes for all projects; those of one project are in `projects/<id>/MEMORY.md`. */
export const generalMemoryName = "MEMORY.md";
export const projectMemoryName = (projectId: string): string => `projects/${projectId}/MEMORY.md`;
export const diaryName = (day: string): string => `${day}.md`;

const diaryPattern = /^\d{4}-\d{2}-\d{2}\.md$/;
const projectPattern = /^projects\/[A-Za-z0-9_-]{1,80}\/MEMORY\.md$/;

/** Returns the day of a diary file as `yyyy-mm-dd`; null = another file, or no day of the calendar. */
export function diaryDay(name: string): string | null {
  if (!diaryPattern.test(name)) return null;
  const day = name.slice(0, 10);
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? day : null;
}

/** Whether this is the name of a file in the memory's folder; `/` separates folders. */
export const isMemoryFileName = (name: string): boolean =>
  name === generalMemoryName || isOwnerFile(name) || diaryDay(name) !== null || projectPattern.test(name);

/** Tools of the memory, as the model calls them. */
export const rememberToolName = "remember";
export const recallToolName = "recall";

const memoryToolName = /remember|recall/;
const memoryToolAtEnd = /(?:remember|recall)$/;

/** Without the separators of names: models write `functions_remember` and `toolsRecall` as well. */
const toLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, "");

/**
 * Whether a call is one of the memory's tools, by its own name or through the toolbox, in whatever form a model writes
 * it. Calls of the toolbox that only mention such a tool count as well.
 */
export const isMemoryCall = ({ name, input }: { readonly name: string; readonly input: Json }): boolean =>
  memoryToolAtEnd.test(toLetters(name).trimEnd()) ||
  (/tool/i.test(name) && memoryToolName.test(toLetters(JSON.stringify(input))));

/** A file of the memory on the settings page. */
export interface MemoryFileState {
  readonly name: string;
  /** "" = there is no such file, or it could not be read. */
  readonly text: string;
  /** null = there is no such file. */
  readonly hash: Hash | null;
  /** Estimated tokens of the text. */
  readonly tokens: number;
  /** The file could not be read, or is too large to be edited here. */
  readonly error?: AgentError;
}

/** A file that does not fit whole into what a new session gets. */
export interface MemoryCut {
  readonly name: string;
  /** Whole lines that are sent: the first ones of a file about the owner, the newest ones of notes. */
  readonly sent: number;
  readonly lines: number;
}

/** Memory that a new session gets. */
export interface MemoryStart {
  /** Context window, tokens. */
  readonly window: number;
  /** Most tokens of both texts together. */
  readonly share: number;
  /** null = nothing is sent. */
  readonly owner: { readonly text: string; readonly tokens: number } | null;
  readonly notes: { readonly text: string; readonly tokens: number } | null;
  readonly cuts: readonly MemoryCut[];
}

/** The memory as a project's sessions use it. */
export interface MemoryState {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Files about the owner, then the notes of all projects and those of the project. */
  readonly files: readonly MemoryFileState[];
  /** Days with a diary, `yyyy-mm-dd`, oldest first. */
  readonly days: readonly string[];
  readonly start: MemoryStart;
}
