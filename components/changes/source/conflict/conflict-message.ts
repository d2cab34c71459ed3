/** A conflict as a text that a model is shown: the marked regions, and what each side changed, within a budget. Pure. */
import { formatHunks } from "@/lib/text/format-hunks";
import type { SourceDiff, SourceOperation } from "@/lib/workspace/source-control";
import type { ShownRegion, SourceConflict } from "@/lib/workspace/source-conflict";

/** Characters of all regions, and of the changes of one side. */
const maxRegionsChars = 8_000;
const maxChangesChars = 3_000;

export interface ConflictFacts {
  readonly path: string;
  readonly operation: SourceOperation | null;
  readonly conflict: SourceConflict;
  /** The changes of a side since the common version; absent = there are none to show. */
  readonly changes: { readonly ours?: SourceDiff; readonly theirs?: SourceDiff };
}

export function formatConflict({ path, operation, conflict, changes }: ConflictFacts): string {
  const { sides } = conflict;
  const versions = (["base", "ours", "theirs"] as const).map(
    (side) => `${side}: ${sides[side] === null ? "does not exist" : sides[side].kind}`,
  );
  const work = operation === null ? "" : ` during a ${operation.kind.replace("_", "-")}`;
  return [
    `${path} is in conflict${work}. Versions in git: ${versions.join(", ")}.`,
    ...formatRegions(conflict),
    ...formatChanges("ours", changes.ours),
    ...formatChanges("theirs", changes.theirs),
  ].join("\n\n");
}

function formatRegions({ regions, more }: SourceConflict): readonly string[] {
  const shown: string[] = [];
  let left = maxRegionsChars;
  for (const region of regions) {
    const text = formatRegion(region);
    if (shown.length > 0 && text.length > left) break;
    shown.push(cutText(text, left));
    left -= text.length;
  }
  const hidden = regions.length - shown.length + more;
  return hidden === 0 ? shown : [...shown, `(${hidden} more conflicts in the file)`];
}

const formatRegion = ({ line, ours, theirs, base, names }: ShownRegion): string =>
  [
    `line ${line}:\n<<<<<<< ${names.ours}\n${ours}`,
    base === null ? "" : `|||||||\n${base}`,
    `=======\n${theirs}>>>>>>> ${names.theirs}`,
  ].join("");

function formatChanges(side: string, diff: SourceDiff | undefined): readonly string[] {
  const text = formatHunks(diff?.hunks);
  return text === "" ? [] : [`Changes of ${side} since the common version:\n${cutText(text, maxChangesChars)}`];
}

const cutText = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n(cut)`;
