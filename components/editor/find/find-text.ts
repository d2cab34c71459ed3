/** Finds and replaces in a text. Runs as long as the expression takes, so call it where it can be ended. */
import { SearchQuery } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";

/** Query of a search; plain data that a worker can receive. */
export type FindQuery = Pick<SearchQuery, "search" | "replace" | "caseSensitive" | "wholeWord" | "regexp">;

export interface MatchList {
  /** Start and end of each match in turn. */
  readonly spans: Uint32Array;
  /** False = there are more. */
  readonly isComplete: boolean;
}

export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** More replacements than these are returned as one, from the first match to the last. */
const replacementsMax = 5_000;

const openCursor = (query: FindQuery, text: Text, from?: number) =>
  new SearchQuery({ ...query, literal: !query.regexp }).getCursor(EditorState.create({ doc: text }), from);

export function findMatches(query: FindQuery, text: Text, max: number): MatchList {
  const spans: number[] = [];
  const cursor = openCursor(query, text);
  for (let next = cursor.next(); next.done !== true; next = cursor.next()) {
    if (spans.length === 2 * max) return { spans: Uint32Array.from(spans), isComplete: false };
    spans.push(next.value.from, next.value.to);
  }
  return { spans: Uint32Array.from(spans), isComplete: true };
}

/** Returns the changes that replace the match at `only`, or all matches. */
export function findReplacements(
  query: FindQuery,
  text: Text,
  only: { readonly from: number; readonly to: number } | null,
): readonly Replacement[] {
  const changes: Replacement[] = [];
  const cursor = openCursor(query, text, only?.from);
  for (let next = cursor.next(); next.done !== true; next = cursor.next()) {
    const { from, to } = next.value;
    if (only !== null && (from !== only.from || to !== only.to)) break;
    const groups = "match" in next.value && Array.isArray(next.value.match) ? next.value.match : [];
    changes.push({ from, to, insert: query.regexp ? expandReplacement(query.replace, groups) : query.replace });
    if (only !== null) break;
  }
  return changes.length > replacementsMax ? [joinReplacements(changes, text)] : changes;
}

function joinReplacements(changes: readonly Replacement[], text: Text): Replacement {
  const parts: string[] = [];
  const start = changes[0]?.from ?? 0;
  let end = start;
  for (const { from, to, insert } of changes) {
    parts.push(text.sliceString(end, from), insert);
    end = to;
  }
  return { from: start, to: end, insert: parts.join("") };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** `$1`, `$&` and `$$`, and the escapes `\n`, `\r`, `\t` and `\\`. A number without a group stays as it is written. */
function expandReplacement(template: string, groups: readonly unknown[]): string {
  const text = template.replace(/\\([nrt\\])/g, (_all, sign: string) => escapes[sign] ?? "\\");
  return text.replace(/\$([$&]|\d+)/g, (all, sign: string) => {
    if (sign === "$") return "$";
    if (sign === "&") return String(groups[0] ?? "");
    for (let length = sign.length; length > 0; length -= 1) {
      const number = Number(sign.slice(0, length));
      if (number > 0 && number < groups.length) return `${String(groups[number] ?? "")}${sign.slice(length)}`;
    }
    return all;
  });
}
