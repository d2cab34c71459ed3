/** Finds words in the files of the memory, line by line, and in the messages of the project's sessions. */
import type { ProjectId } from "@/lib/events/id";
import type { SearchHit } from "@/lib/protocol/history";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { diaryDay, generalMemoryName, ownerFileNames, projectMemoryName } from "@/lib/tools/memory";
import type { HistoryStore } from "@/server/store/history/history";
import { createSnippet, parseSearchQuery, type SearchTerm } from "@/server/store/history/search-query";
import { escapeElements, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { localDay } from "./diary";
import type { MemoryFiles } from "./memory-files";

const maxSnippets = 8;
const maxTokens = 400;
const maxQueryChars = 400;
const snippetChars = 220;
/** Places of the answer that sessions have at least, if they have hits. */
const sessionPlaces = 3;
/** Days of the diary that are searched, the newest. */
const searchedDays = 400;

export interface RecallOptions {
  readonly files: MemoryFiles;
  /** The index of all sessions. */
  history(): Promise<Pick<HistoryStore, "search">>;
}

/** Returns the snippets for the model, the newest notes first, in at most 400 tokens; null = the query has no word. */
export async function recall(
  { files, history }: RecallOptions,
  projectId: ProjectId,
  query: string,
  signal: AbortSignal,
): Promise<string | null> {
  const searched = query.slice(0, maxQueryChars);
  const parsed = parseSearchQuery(searched);
  if (parsed === null) return null;
  const notes = await searchFiles(files, projectId, parsed.terms, signal);
  const { hits } = (await history()).search({ query: searched, projectId });
  signal.throwIfAborted();
  const sessions = hits.filter(({ place }) => place !== "tool").map(formatHit);
  const noteCount = Math.max(maxSnippets - sessions.length, maxSnippets - sessionPlaces);
  const snippets = [...notes.slice(0, noteCount), ...sessions].slice(0, maxSnippets);
  return snippets.length === 0 ? "Nothing was found. Try fewer or other words." : joinSnippets(snippets);
}

function formatHit({ title, at, snippet }: SearchHit): string {
  const name = toOneLine(title).slice(0, 60);
  return escapeElements(`session "${name}" ${localDay(at)}: ${toOneLine(snippet)}`);
}

/** As many snippets as fit, each on a line. */
function joinSnippets(snippets: readonly string[]): string {
  let text = "";
  for (const snippet of snippets) {
    const next = text === "" ? `- ${snippet}` : `${text}\n- ${snippet}`;
    if (estimateTokens(next) > maxTokens) return text;
    text = next;
  }
  return text;
}

/** Lines that contain all words, and after them those that contain some of them. */
async function searchFiles(
  files: MemoryFiles,
  projectId: ProjectId,
  terms: readonly SearchTerm[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const days = (await files.list()).filter((name) => diaryDay(name) !== null).slice(-searchedDays);
  const names = [projectMemoryName(projectId), generalMemoryName, ...ownerFileNames, ...days.toReversed()];
  const all: string[] = [];
  const some: string[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    const read = await files.read(name, "end");
    if (!read.ok) continue;
    const label = name === projectMemoryName(projectId) ? "this project" : name.replace(/\.md$/, "");
    for (const line of read.value.text.split("\n").toReversed()) {
      if (all.length >= maxSnippets) return all;
      const found = findInLine(line, terms);
      if (found !== null) (found.isWhole ? all : some).push(`${label}: ${found.text}`);
    }
  }
  return [...all, ...some].slice(0, maxSnippets);
}

function findInLine(
  line: string,
  terms: readonly SearchTerm[],
): { readonly text: string; readonly isWhole: boolean } | null {
  if (line.trim() === "") return null;
  const whole = createSnippet(line, terms, snippetChars);
  const found = whole ?? terms.map((term) => createSnippet(line, [term], snippetChars)).find((one) => one !== null);
  if (found === undefined || found === null) return null;
  return { text: escapeElements(toOneLine(found.snippet)).replace(/^- /, ""), isWhole: whole !== null };
}
