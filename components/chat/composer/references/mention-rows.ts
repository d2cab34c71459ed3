/** The rows of the menu of mentions: what each shows and adds. Pure. */
import type { SessionId } from "@/lib/events/id";
import type { McpResourceOffer } from "@/lib/tools/mcp";
import type { ToolOffer } from "@/lib/tools/trials";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { LogCommit } from "@/lib/workspace/source-history";
import { limits } from "@/lib/settings/settings";
import { fuzzyMatch, parseFuzzyQuery, toFuzzyText } from "@/lib/text/fuzzy-match";
import { baseName, parentFolder } from "@/lib/workspace/project-path";
import { clipLabel, draftReferenceName, referenceKey } from "./draft-references";
import type { Mention } from "./mention";
import { maxMentionChoices, type MentionChoice } from "./mention-choices";
import type { FoundSymbol } from "./use-references";

/** Each begins a mention of something that is no file; letters of its name follow. `findMention` has the same words. */
export const sessionMention = "session:";
export const memoryMention = "memory:";
export const toolMention = "tool:";
export const gitMention = "git:";

/** Whether the letters name something that is no file, so that a person who writes them expects an answer. */
export const namesOther = (typed: string): boolean =>
  [sessionMention, memoryMention, toolMention, gitMention].some((prefix) => typed.startsWith(prefix));

/** Whether the letters are the address of a web page. */
export const isPageAddress = (typed: string): boolean => /^https?:\/\/./i.test(typed) && URL.canParse(typed);

export interface MentionRowContent {
  readonly key: string;
  readonly kind: NewReference["kind"];
  readonly name: string;
  /** Indices of the matched characters of the name. */
  readonly nameMarks: readonly number[];
  readonly detail: string;
  readonly detailMarks: readonly number[];
  /** A reference, the text of a mention with further choices, or a text that is read when it is chosen. */
  readonly adds: NewReference | { readonly typed: string } | { readonly reads: ReadableText; readonly label: string };
}

/** A text that is added as it is when it is chosen. */
export type ReadableText =
  | ({ readonly kind: "resource" } & Pick<McpResourceOffer, "server" | "uri">)
  | { readonly kind: "memory"; readonly file: string }
  | { readonly kind: "tool"; readonly tool: string }
  | { readonly kind: "page"; readonly address: string };

/** Rows of files and folders. `lines` is the range that was typed. */
export const fileRows = (choices: readonly MentionChoice[], lines: Mention["lines"]): readonly MentionRowContent[] =>
  choices.map(({ kind, path, positions }) => {
    const folder = parentFolder(path);
    const nameStart = folder === "" ? 0 : folder.length + 1;
    const adds: NewReference =
      kind === "folder" ? { kind, path } : { kind, path, ...(lines === undefined ? {} : { lines }) };
    return {
      key: referenceKey(adds),
      kind,
      name: kind === "folder" ? `${baseName(path)}/` : baseName(path),
      nameMarks: positions.map((at) => at - nameStart),
      detail: folder,
      detailMarks: positions,
      adds,
    };
  });

/** Rows of the symbols of a file that match the letters, best match first; without letters in their order. */
export function symbolRows(
  path: string,
  symbols: readonly FoundSymbol[],
  letters: string,
): readonly MentionRowContent[] {
  const query = parseFuzzyQuery(letters);
  return (
    symbols
      .flatMap((symbol) => {
        if (query.terms.length === 0) return [{ symbol, score: 0, positions: [] }];
        const match = fuzzyMatch(query, toFuzzyText(symbol.name));
        return match === null ? [] : [{ symbol, score: match.score, positions: match.positions }];
      })
      .sort((left, right) => right.score - left.score)
      // No more can be measured at once.
      .slice(0, limits.messageReferences)
      .map(({ symbol: { name, line, endLine }, positions }) => {
        const adds: NewReference = { kind: "file", path, lines: { first: line, last: endLine } };
        const detail = draftReferenceName(adds);
        return { key: `${name} ${detail}`, kind: "file", name, nameMarks: positions, detail, detailMarks: [], adds };
      })
  );
}

interface TopicNames {
  readonly changes: string;
  readonly session: string;
  readonly sessionNote: string;
  readonly memory: string;
  readonly memoryNote: string;
  readonly tool: string;
  readonly toolNote: string;
  readonly git: string;
  readonly gitNote: string;
  readonly page: string;
  readonly pageNote: string;
}

/** Letters from which the keyword of a row is what the user types, and not the start of a path. */
const keywordLetters = 3;
const pageKeyword = "https://";

/** Adds the rows of changes, sessions and what is named like them: before the files if their keyword is typed, else after them. */
export function withTopicRows(
  files: readonly MentionRowContent[],
  typed: string,
  names: TopicNames,
): readonly MentionRowContent[] {
  const changes: NewReference = { kind: "changes", label: names.changes };
  const rows = [
    { keyword: "changes", name: names.changes, kind: "changes", detail: "@changes", adds: changes },
    {
      keyword: sessionMention,
      name: names.session,
      kind: "session",
      detail: names.sessionNote,
      adds: { typed: sessionMention },
    },
    {
      keyword: memoryMention,
      name: names.memory,
      kind: "text",
      detail: names.memoryNote,
      adds: { typed: memoryMention },
    },
    { keyword: toolMention, name: names.tool, kind: "text", detail: names.toolNote, adds: { typed: toolMention } },
    { keyword: gitMention, name: names.git, kind: "changes", detail: names.gitNote, adds: { typed: gitMention } },
    { keyword: pageKeyword, name: names.page, kind: "text", detail: names.pageNote, adds: { typed: pageKeyword } },
  ] as const;
  const offered = rows.flatMap(({ keyword, ...row }): readonly MentionRowContent[] =>
    keyword.startsWith(typed.toLowerCase()) || (!/^[\0-\x7f]*$/.test(typed) && row.name.includes(typed))
      ? [{ ...row, key: keyword, nameMarks: [], detailMarks: [] }]
      : [],
  );
  return typed.length >= keywordLetters
    ? [...offered, ...files]
    : [...files.slice(0, maxMentionChoices - offered.length), ...offered];
}

/** Rows of sessions. `age` formats the time of the last change, ms epoch. */
export const sessionRows = (
  sessions: readonly { readonly id: SessionId; readonly title: string; readonly updatedAt: number }[],
  age: (at: number) => string,
): readonly MentionRowContent[] =>
  sessions.map(({ id, title, updatedAt }) => ({
    key: id,
    kind: "session",
    name: title,
    nameMarks: [],
    detail: age(updatedAt),
    detailMarks: [],
    adds: { kind: "session", sessionId: id, label: title },
  }));

/** At most as many rows as the menu has; a name that begins with the letters comes first. */
function matchNames<T>(items: readonly T[], letters: string, nameOf: (item: T) => string): readonly T[] {
  const wanted = letters.toLowerCase();
  const at = (item: T): number => nameOf(item).toLowerCase().indexOf(wanted);
  return items
    .filter((item) => at(item) !== -1)
    .sort((one, other) => Math.sign(at(one)) - Math.sign(at(other)))
    .slice(0, maxMentionChoices);
}

const readableRow = (reads: ReadableText, label: string, name: string, detail: string): MentionRowContent => ({
  key: label,
  kind: "text",
  name,
  nameMarks: [],
  detail,
  detailMarks: [],
  adds: { reads, label },
});

/** Rows of files of the memory. */
export const memoryRows = (files: readonly string[], letters: string): readonly MentionRowContent[] =>
  matchNames(files, letters, (file) => file).map((file) =>
    readableRow({ kind: "memory", file }, `${memoryMention}${file}`, file, ""),
  );

/** Rows of tools of the catalogue. */
export const toolRows = (tools: readonly ToolOffer[], letters: string): readonly MentionRowContent[] =>
  matchNames(tools, letters, ({ name }) => name).map(({ name, description }) =>
    readableRow({ kind: "tool", tool: name }, `${toolMention}${name}`, name, description),
  );

const shortIdChars = 8;

/** Rows of the staged changes, those that are not staged, and the last commits, which are named by letters or their id. */
export function gitRows(
  commits: readonly Pick<LogCommit, "id" | "subject" | "author">[],
  letters: string,
  names: { readonly gitStaged: string; readonly gitChanged: string },
): readonly MentionRowContent[] {
  const parts = [
    { git: "staged", name: names.gitStaged, detail: `@${gitMention}staged`, label: names.gitStaged },
    { git: "changed", name: names.gitChanged, detail: `@${gitMention}changed`, label: names.gitChanged },
    ...commits.map(({ id, subject, author }) => {
      const short = id.slice(0, shortIdChars);
      return { git: id, name: subject, detail: `${short} · ${author}`, label: `${short} ${subject}` };
    }),
  ];
  return matchNames(parts, letters, ({ git, name, detail }) => `${git} ${name} ${detail}`).map(
    ({ git, name, detail, label }) => ({
      key: `${gitMention}${git}`,
      kind: "changes",
      name,
      nameMarks: [],
      detail,
      detailMarks: [],
      adds: clipLabel({ kind: "changes", label, git }),
    }),
  );
}

/** The row of a web page. */
export const pageRow = (address: string, note: string): MentionRowContent =>
  readableRow({ kind: "page", address }, address, address, note);

/** As it is typed after the `@`, as in `github:issue://7`. */
const resourceName = ({ server, uri }: Pick<McpResourceOffer, "server" | "uri">): string => `${server}:${uri}`;

/** Rows of the resources of servers that the letters begin, or that have them in their name. */
export function resourceRows(resources: readonly McpResourceOffer[], typed: string): readonly MentionRowContent[] {
  const letters = typed.toLowerCase();
  if (letters === "") return [];
  return resources
    .filter((one) => resourceName(one).toLowerCase().startsWith(letters) || one.name.toLowerCase().includes(letters))
    .slice(0, maxMentionChoices)
    .map((resource) => {
      const { server, uri, name } = resource;
      const label = resourceName(resource);
      return readableRow({ kind: "resource", server, uri }, label, name === "" ? uri : name, label);
    });
}
