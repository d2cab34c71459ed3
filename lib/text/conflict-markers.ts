/** Conflict regions in a text, as git writes them between markers, and what is left when one is resolved. Pure. */

/** The lines that replace a region; `both` = ours, then theirs. */
export type ConflictTake = "ours" | "theirs" | "both" | "base";

export interface ConflictRegion {
  /** Line of the first marker, from 1. */
  readonly line: number;
  /** Position of the first marker, and that behind the last one with its line end. */
  readonly from: number;
  readonly to: number;
  /** The lines with their ends. */
  readonly ours: string;
  readonly theirs: string;
  /** null = the markers have no common version. */
  readonly base: string | null;
  /** The text beside the markers: a branch or a commit; "" = nothing. */
  readonly names: { readonly ours: string; readonly theirs: string };
}

export interface ConflictMarkers {
  readonly regions: readonly ConflictRegion[];
  /** Line of the first marker that belongs to no region; null = there is none. */
  readonly looseLine: number | null;
}

/** Length of git's markers, unless the attribute `conflict-marker-size` of a file has another one. */
const usualMarkerChars = 7;

interface OpenRegion {
  readonly line: number;
  readonly from: number;
  readonly name: string;
  part: "ours" | "base" | "theirs";
  ours: string;
  base: string | null;
  theirs: string;
}

type Marker = "<" | "|" | "=" | ">";

/**
 * Finds the regions in order. Where a text has lines that look like markers in a region, it is not one: which lines belong to which
 * side cannot be decided.
 */
export function findConflictMarkers(text: string, markerChars: number = usualMarkerChars): ConflictMarkers {
  const regions: ConflictRegion[] = [];
  let looseLine: number | null = null;
  let open: OpenRegion | null = null;
  const markerOf = makeMarkerReader(markerChars);
  let line = 0;
  for (let from = 0, to = 0; from < text.length; from = to) {
    const end = text.indexOf("\n", from);
    to = end === -1 ? text.length : end + 1;
    line += 1;
    const found = markerOf(text, from, to);
    if (found === "<") {
      if (open !== null) looseLine ??= open.line;
      const name = nameOf(text, from, to, markerChars);
      open = { line, from, name, part: "ours", ours: "", base: null, theirs: "" };
    } else if (open === null) {
      if (found === ">") looseLine ??= line;
    } else if (found === ">" && open.part === "theirs") {
      const names = { ours: open.name, theirs: nameOf(text, from, to, markerChars) };
      const { ours, theirs, base } = open;
      regions.push({ line: open.line, from: open.from, to, ours, theirs, base, names });
      open = null;
    } else if (found === null || (found === "|" && open.part !== "ours")) {
      const { part } = open;
      open[part] = (open[part] ?? "") + text.slice(from, to);
    } else if (found === "|") {
      open.part = "base";
      open.base = "";
    } else if (found === "=" && open.part !== "theirs") open.part = "theirs";
    else {
      looseLine ??= open.line;
      open = null;
    }
  }
  return { regions, looseLine: open === null ? looseLine : (looseLine ?? open.line) };
}

/** Returns a function that reads the marker of a line; a separator has no name beside it. */
function makeMarkerReader(markerChars: number): (text: string, from: number, to: number) => Marker | null {
  const pattern = new RegExp(`^(?:([<|>])\\1{${markerChars - 1}}(?![<|>])(?: .*)?|(=){${markerChars}})\\r?\\n?$`, "s");
  return (text, from, to) => {
    const first = text[from];
    if (first !== "<" && first !== "|" && first !== "=" && first !== ">") return null;
    return pattern.test(text.slice(from, to)) ? first : null;
  };
}

const nameOf = (text: string, from: number, to: number, markerChars: number): string =>
  text.slice(from + markerChars, to).trim();

/** Returns the lines that a region becomes; null = it has no common version. */
export function takeRegion({ ours, theirs, base }: ConflictRegion, take: ConflictTake): string | null {
  if (take === "both") return joinLines(ours, theirs);
  return { ours, theirs, base }[take];
}

/** A line without an end, the last one of a text, gets one. */
const joinLines = (first: string, second: string): string =>
  first === "" || second === "" || first.endsWith("\n") ? first + second : `${first}\n${second}`;
