/** What deciding needs from the disk: where an operand leads, what a walk meets, what a glob becomes. Given to decide by run-tool; nothing is changed. */
import { readdirSync, statSync } from "node:fs";
import { limits } from "@/lib/settings";
import { globComponent } from "./glob-component";
import { showsHidden } from "./hidden-names";
import { childPath, modelPath, type PathPolicy, type SafePath } from "./paths";
import type { Word } from "./shell-words";

export type Place =
  | { readonly kind: "inside"; readonly path: SafePath<"model">; readonly folder: boolean }
  | { readonly kind: "outside" | "protected" | "bad" };

/** Answers about the disk as it is now. */
export interface Look {
  /** Where a path leads. `text` as the shell hands it on: `~` already judged by the caller. */
  place(text: string, cwd: string): Place;
  /** A walk of at most limits.readerWalkEntries entries meets nothing protected and no link that leads out. */
  isClean(folder: SafePath<"model">, skipsHidden: boolean): boolean;
  /** The names an unquoted glob becomes, itself when there are none; null when that cannot be said. */
  expand(word: Word, cwd: string): readonly string[] | null;
}

const maxNames = 1_000;

/** The real disk. */
export function diskLook(policy: PathPolicy): Look {
  return {
    place: (text, cwd) => placeOf(text, cwd, policy),
    isClean: (folder, skipsHidden) => isCleanBelow(folder, skipsHidden, policy),
    expand: expandGlob,
  };
}

function placeOf(text: string, cwd: string, policy: PathPolicy): Place {
  // As for writing: a dangling link is where its target would be.
  const found = modelPath(text, "write", policy, cwd);
  if (!found.ok) {
    const { code } = found.error;
    return { kind: code === "outside" || code === "protected" ? code : "bad" };
  }
  return { kind: "inside", path: found.value, folder: isFolder(found.value.absolute) };
}

function isFolder(absolute: string): boolean {
  try {
    return statSync(absolute, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function isCleanBelow(top: SafePath<"model">, skipsHidden: boolean, policy: PathPolicy): boolean {
  const folders = [top];
  const visited = new Set([top.absolute]);
  const shown = skipsHidden ? showsHidden(policy.root) : null;
  shown?.readDownTo(top.absolute);
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder.absolute);
    if (entries === null) return false;
    shown?.readIn(
      folder.absolute,
      entries.map((entry) => entry.name),
    );
    for (const entry of entries) {
      seen += 1;
      if (seen > limits.readerWalkEntries) return false;
      if (entry.name.startsWith(".") && shown?.has(entry.name) === false) continue;
      const child = childPath(folder, entry.name, policy);
      if (child === null) return false;
      // Some programs follow links to folders, and round in circles too.
      const below = entry.isDirectory() || (entry.isSymbolicLink() && isFolder(child.absolute));
      if (!below || visited.has(child.absolute)) continue;
      visited.add(child.absolute);
      folders.push(child);
    }
  }
  return true;
}

function entriesOf(folder: string): ReturnType<typeof readEntries> | null {
  try {
    return readEntries(folder);
  } catch {
    return null;
  }
}

const readEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** Matches without case, so more than the shell would: every name is judged, one too many does no harm. */
function expandGlob(word: Word, cwd: string): readonly string[] | null {
  const source = word.pattern;
  let names: readonly string[] = [source.startsWith("/") ? "/" : ""];
  for (const component of source.split(/\/+/).filter((part) => part !== "")) {
    const next: string[] = [];
    const matcher = globComponent(component);
    if (matcher === null) return null;
    for (const name of names) {
      const found = typeof matcher === "string" ? [matcher] : matchesIn(name, cwd, matcher, component.startsWith("."));
      next.push(...found.map((child) => (name === "" || name === "/" ? name + child : `${name}/${child}`)));
      if (next.length > maxNames) return null;
    }
    names = next;
  }
  return names.length === 0 ? [word.text] : names;
}

function matchesIn(folder: string, cwd: string, matcher: RegExp, hidden: boolean): readonly string[] {
  const entries = entriesOf(folder.startsWith("/") ? folder : `${cwd}/${folder}`) ?? [];
  const names = entries.map((entry) => entry.name);
  return (hidden ? [".", "..", ...names] : names.filter((name) => !name.startsWith("."))).filter((name) =>
    matcher.test(name),
  );
}
