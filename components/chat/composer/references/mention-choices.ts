/** The files and folders that a mention offers, best match first. Pure. */
import { fuzzyMatch, parseFuzzyQuery, toFuzzyText } from "@/lib/text/fuzzy-match";
import { parentFolder } from "@/lib/workspace/project-path";

export interface MentionChoice {
  readonly kind: "file" | "folder";
  readonly path: string;
  /** Indices of the matched characters of the path. */
  readonly positions: readonly number[];
}

export const maxMentionChoices = 8;
/** Points of a folder when the text ends in a slash. */
const folderBonus = 100;

/** `paths` = the files that match, best first; the folders are those of the files. */
export function mentionChoices(paths: readonly string[], typed: string): readonly MentionChoice[] {
  const query = parseFuzzyQuery(typed);
  if (query.terms.length === 0) {
    // Hidden files come last: many of them are protected.
    const ordered = [...paths.filter((path) => !isHidden(path)), ...paths.filter(isHidden)];
    return ordered.slice(0, maxMentionChoices).map((path) => ({ kind: "file", path, positions: [] }));
  }
  const namesFolder = typed.endsWith("/");
  const scored = (kind: MentionChoice["kind"], path: string) => {
    const match = fuzzyMatch(query, toFuzzyText(kind === "folder" && namesFolder ? `${path}/` : path));
    const score = (match?.score ?? 0) + (kind === "folder" && namesFolder ? folderBonus : 0);
    return match === null ? [] : [{ kind, path, positions: match.positions, score }];
  };
  return [
    ...paths.flatMap((path) => scored("file", path)),
    ...[...foldersOf(paths)].flatMap((path) => scored("folder", path)),
  ]
    .sort((a, b) => b.score - a.score)
    .slice(0, maxMentionChoices)
    .map(({ kind, path, positions }) => ({ kind, path, positions }));
}

const isHidden = (path: string): boolean => /(?:^|\/)\./.test(path);

function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = parentFolder(path); folder !== "" && !folders.has(folder); folder = parentFolder(folder))
      folders.add(folder);
  return folders;
}
