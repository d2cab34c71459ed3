/** Read-only disk queries for decisions: where an operand leads, what a walk finds, what a glob expands to. */
import { accessSync, constants, type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { makeReincludedNames } from "./reincluded-names";
import { childPath, modelPath, type PathPolicy, type SafePath } from "./safe-path";
import { shellComponent } from "../shell/shell-glob";

/** Maximum entries examined below a folder that a command reads. */
const readerWalkEntries = 5_000;

type PathLocation =
  | { readonly kind: "inside"; readonly path: SafePath<"model">; readonly folder: boolean }
  | { readonly kind: "outside" | "protected" | "bad" };

/** Queries the disk in its current state. */
export interface FsProbe {
  /** Resolves a path. `text` as the shell passes it on; the caller has already handled `~`. */
  locate(text: string, cwd: string): PathLocation;
  /** Returns whether a shell may change into a folder. */
  canEnter(folder: SafePath<"model">): boolean;
  /** Returns whether a path leads into a read root. A relative `text` starts at the project. */
  isInReadRoot(text: string): boolean;
  /**
   * Returns whether a walk of at most readerWalkEntries entries finds nothing protected and no link that leads
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
interface ExpandedName {
  /** Relative to the current folder of the shell, or absolute. */
  readonly text: string;
  /** True when every shell matches the name; false when only some do. */
  readonly certain: boolean;
  /**
   * True when there is no link and no `..` between the current folder of the shell and the name, so that it is where
   * its text says.
   */
  readonly unlinked: boolean;
}

/** Limits of one expansion: names returned and entries visited. */
const maxExpandedNames = 20_000;
const maxVisitedEntries = 100_000;

/** Returns a probe of the real disk. */
export function makeFsProbe(policy: PathPolicy): FsProbe {
  return {
    locate: (text, cwd) => locatePath(text, cwd, policy),
    canEnter: (folder) => isSearchable(folder.absolute),
    isInReadRoot(text) {
      const found = modelPath(text, "read", policy);
      return found.ok && found.value.readRoot !== null;
    },
    isClean: (folder, skipsHidden) => isCleanBelow(folder, skipsHidden, policy),
    expand: expandGlob,
  };
}

function locatePath(text: string, cwd: string, policy: PathPolicy): PathLocation {
  // As for writing: a dangling link counts as its target.
  const found = modelPath(text, "write", policy, cwd);
  if (!found.ok) {
    const { code } = found.error;
    return { kind: code === "outside" || code === "protected" ? code : "bad" };
  }
  return { kind: "inside", path: found.value, folder: leadsToFolder(found.value.absolute) };
}

function leadsToFolder(absolute: string): boolean {
  try {
    return statSync(absolute, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function isSearchable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isCleanBelow(top: SafePath<"model">, skipsHidden: boolean, policy: PathPolicy): boolean {
  const folders = [top];
  const visited = new Set([top.absolute]);
  const shown = skipsHidden ? makeReincludedNames() : null;
  shown?.readDownTo(top.absolute);
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = listEntriesOrNull(folder.absolute);
    if (entries === null) return false;
    shown?.readIn(
      folder.absolute,
      entries.map((entry) => entry.name),
    );
    for (const entry of entries) {
      seen += 1;
      if (seen > readerWalkEntries) return false;
      if (entry.name.startsWith(".") && shown?.has(entry.name) === false) continue;
      const child = childPath(folder, entry.name, policy);
      // We cannot follow a name whose bytes are not valid text, but the program can.
      if (child === null || (!entry.isFile() && entry.name.includes("\uFFFD"))) return false;
      // Some programs follow links to folders, cycles included.
      const below = entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(child.absolute));
      if (!below || visited.has(child.absolute)) continue;
      visited.add(child.absolute);
      folders.push(child);
    }
  }
  return true;
}

function listEntriesOrNull(folder: string): ReturnType<typeof listEntries> | null {
  try {
    return listEntries(folder);
  } catch {
    return null;
  }
}

const listEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });

function expandGlob(pattern: string, cwd: string): readonly ExpandedName[] | null {
  let names: readonly ExpandedName[] = [
    { text: pattern.startsWith("/") ? "/" : "", certain: true, unlinked: !pattern.startsWith("/") },
  ];
  let left = maxVisitedEntries;
  for (const component of pattern.split(/\/+/).filter((part) => part !== "")) {
    const next: ExpandedName[] = [];
    const matcher = shellComponent(component);
    for (const name of names) {
      // Only the program can open such a folder, so its entries cannot be listed here.
      if (matcher.kind === "wild" && name.text.includes("\uFFFD")) return null;
      const found =
        matcher.kind === "plain" ? [plainChild(matcher.text, name, cwd)] : listEntriesOrNull(globFolder(name, cwd));
      left -= found?.length ?? 0;
      if (left < 0) return null;
      for (const child of matcher.kind === "plain" ? (found ?? []) : [...dotEntries, ...(found ?? [])]) {
        const match = matcher.kind === "plain" ? "yes" : matcher.match(child.name);
        if (match === "no") continue;
        next.push({
          text: name.text === "" || name.text === "/" ? name.text + child.name : `${name.text}/${child.name}`,
          certain: name.certain && match === "yes",
          unlinked: name.unlinked && !child.isSymbolicLink() && child.name !== ".." && !child.name.includes("\uFFFD"),
        });
      }
      if (next.length > maxExpandedNames) return null;
    }
    names = next;
  }
  return names;
}

type NamedEntry = Pick<Dirent, "name" | "isSymbolicLink">;

const notLink = (): boolean => false;
const dotEntries: readonly NamedEntry[] = [".", ".."].map((name) => ({ name, isSymbolicLink: notLink }));

const globFolder = ({ text }: ExpandedName, cwd: string): string => (text.startsWith("/") ? text : `${cwd}/${text}`);

/** Returns an entry for a component without a wildcard; it need not exist, because it may be created later. */
function plainChild(text: string, above: ExpandedName, cwd: string): NamedEntry {
  const isLink = (): boolean => {
    try {
      return lstatSync(`${globFolder(above, cwd)}/${text}`, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    } catch {
      return false;
    }
  };
  return { name: text, isSymbolicLink: isLink };
}
