/** Follows `cd` through a command: the folders in which each part may run. */
import { posix } from "node:path";
import type { FsProbe } from "../paths/fs-probe";
import type { CommandSegment, ParsedCommand } from "../shell/parsed-command";
import { isSourcedScript } from "../shell/wrapped-commands";

/** Folders in which one segment may run. */
interface SegmentFolders {
  /** Every folder the shell may be in, absolute; null where it is not known. Never empty. */
  readonly folders: readonly (string | null)[];
  /** It is a `cd` whose target is certain. */
  readonly moves: boolean;
}

const maxFolders = 8;
const unknownFolder: readonly null[] = [null];

/**
 * Returns the folders of each segment, in order. A `cd` may fail: what follows it with `&&` then does not run, the next
 * statement runs in the old folder.
 */
export function followFolders(parsed: ParsedCommand, cwd: string, probe: FsProbe): readonly SegmentFolders[] {
  let folders: readonly (string | null)[] = hasUncertainCd(parsed) ? unknownFolder : [cwd];
  /** Folders in which the shell still is when a `cd` of the current statement failed. */
  let left: readonly (string | null)[] = [];
  let statement = 0;
  return parsed.segments.map((segment): SegmentFolders => {
    if (segment.statement !== statement) {
      folders = distinctFolders([...folders, ...left]);
      left = [];
      ({ statement } = segment);
    }
    const here = folders;
    // The script may change the folder.
    if (isSourcedScript(segment.words)) folders = unknownFolder;
    if (segment.words[0]?.text !== "cd" || segment.unreadable !== null) return { folders: here, moves: false };
    const targets = here.map((folder) => (folder === null ? null : cdTarget(segment, folder, probe)));
    const moves = !targets.includes(null);
    if (moves && !segment.exitsOnFailure) left = distinctFolders([...left, ...here]);
    folders = moves ? distinctFolders(targets) : unknownFolder;
    return { folders: here, moves };
  });
}

function distinctFolders(folders: readonly (string | null)[]): readonly (string | null)[] {
  const distinct = [...new Set(folders)];
  return distinct.includes(null) || distinct.length > maxFolders ? unknownFolder : distinct;
}

/**
 * Returns whether a `cd` runs at a point that is not certain, or `cd` may be a function: then relative paths cannot be
 * resolved.
 */
function hasUncertainCd(parsed: ParsedCommand): boolean {
  const movers = parsed.segments.filter((segment) => /^(?:cd|pushd|popd)$/.test(segment.words[0]?.text ?? ""));
  const functions = parsed.kind === "unreadable" || parsed.functions;
  return movers.some((segment) => functions || !segment.inMainShell || segment.words[0]?.text !== "cd");
}

/**
 * Returns the folder a plain `cd folder` leads to: it is inside the project, may be entered, and no link makes `..`
 * ambiguous. A redirect may fail, and then the `cd` does not run.
 */
function cdTarget({ words, redirects, assignments }: CommandSegment, cwd: string, probe: FsProbe): string | null {
  const folder = words[1];
  if (folder === undefined || words.length !== 2 || redirects.length + assignments.length > 0) return null;
  if (!folder.literal || folder.glob || folder.tilde || /^$|^[-~]/.test(folder.text)) return null;
  const place = probe.locate(folder.text, cwd);
  if (place.kind !== "inside" || !place.folder || !probe.canEnter(place.path)) return null;
  return posix.resolve(cwd, folder.text) === place.path.absolute ? place.path.absolute : null;
}
