/** Read-only disk queries for decisions: where an operand leads, what a walk finds, what a glob expands to. */
import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { limits } from "@/lib/settings";
import { showsHidden } from "./hidden-names";
import { childPath, modelPath, type PathPolicy, type SafePath } from "./paths";
import { shellComponent } from "./shell-glob";

export type Place =
  | { readonly kind: "inside"; readonly path: SafePath<"model">; readonly folder: boolean }
  | { readonly kind: "outside" | "protected" | "bad" };

/** Queries the disk in its current state. */
export interface Look {
  /** Resolves a path. `text` as the shell passes it on; the caller has already handled `~`. */
  place(text: string, cwd: string): Place;
  /**
   * Returns whether a walk of at most limits.readerWalkEntries entries finds nothing protected and no link that leads
   * out.
   */
  isClean(folder: SafePath<"model">, skipsHidden: boolean): boolean;
  /**
   * Returns the names a glob (in the form of `Word.pattern`) expands to, none when it matches nothing; null when there
   * are too many.
   */
  expand(pattern: string, cwd: string): readonly ExpandedName[] | null;
}

/** A name that a glob may expand to. */
export interface ExpandedName {
  /** Relative to the current folder of the shell, or absolute. */
  readonly text: string;
  /** True when every shell matches the name; false when only some do. */
  readonly sure: boolean;
  /**
   * True when there is no link and no `..` between the current folder of the shell and the name, so that it is where
   * its text says.
   */
  readonly plain: boolean;
}

/** Limits of one expansion: names returned and entries visited. */
const maxNames = 20_000;
const maxEntries = 100_000;

/** Returns a probe of the real disk. */
export function diskLook(policy: PathPolicy): Look {
  return {
    place: (text, cwd) => placeOf(text, cwd, policy),
    isClean: (folder, skipsHidden) => isCleanBelow(folder, skipsHidden, policy),
    expand: expandGlob,
  };
}

function placeOf(text: string, cwd: string, policy: PathPolicy): Place {
  // As for writing: a dangling link counts as its target.
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
  const shown = skipsHidden ? showsHidden() : null;
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
      // We cannot follow a name whose bytes are not valid text, but the program can.
      if (child === null || (!entry.isFile() && entry.name.includes("\uFFFD"))) return false;
      // Some programs follow links to folders, cycles included.
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

function expandGlob(pattern: string, cwd: string): readonly ExpandedName[] | null {
  let names: readonly ExpandedName[] = [
    { text: pattern.startsWith("/") ? "/" : "", sure: true, plain: !pattern.startsWith("/") },
  ];
  let left = maxEntries;
  for (const component of pattern.split(/\/+/).filter((part) => part !== "")) {
    const next: ExpandedName[] = [];
    const matcher = shellComponent(component);
    for (const name of names) {
      // Only the program can open such a folder, so its entries cannot be listed here.
      if (matcher.kind === "wild" && name.text.includes("\uFFFD")) return null;
      const found = matcher.kind === "plain" ? [plainChild(matcher.text, name, cwd)] : entriesOf(folderOf(name, cwd));
      left -= found?.length ?? 0;
      if (left < 0) return null;
      for (const child of matcher.kind === "plain" ? (found ?? []) : [...dots, ...(found ?? [])]) {
        const match = matcher.kind === "plain" ? "yes" : matcher.match(child.name);
        if (match === "no") continue;
        next.push({
          text: name.text === "" || name.text === "/" ? name.text + child.name : `${name.text}/${child.name}`,
          sure: name.sure && match === "yes",
          plain: name.plain && !child.isSymbolicLink() && child.name !== ".." && !child.name.includes("\uFFFD"),
        });
      }
      if (next.length > maxNames) return null;
    }
    names = next;
  }
  return names;
}

type Named = Pick<Dirent, "name" | "isSymbolicLink">;

const notLink = (): boolean => false;
const dots: readonly Named[] = [".", ".."].map((name) => ({ name, isSymbolicLink: notLink }));

const folderOf = ({ text }: ExpandedName, cwd: string): string => (text.startsWith("/") ? text : `${cwd}/${text}`);

/** Returns an entry for a component without a wildcard; it need not exist, because it may be created later. */
function plainChild(text: string, above: ExpandedName, cwd: string): Named {
  const isLink = (): boolean => {
    try {
      return lstatSync(`${folderOf(above, cwd)}/${text}`, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    } catch {
      return false;
    }
  };
  return { name: text, isSymbolicLink: isLink };
}
