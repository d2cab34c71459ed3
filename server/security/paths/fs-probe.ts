/** Read-only disk queries for decisions: where an operand leads, what a walk finds, what a glob expands to. */
import { accessSync, constants, type Dirent, lstatSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FolderSurvey, makeFolderSurvey } from "./folder-survey";
import { makeReincludedNames } from "./reincluded-names";
import { childPath, modelPath, type PathPolicy, runsCode, type SafePath } from "./safe-path";
import { shellComponent } from "../shell/shell-glob";

/** Maximum entries examined below a folder that a command reads. */
const readerWalkEntries = 5_000;

type PathLocation =
  | { readonly kind: "inside"; readonly path: SafePath<"model">; readonly folder: boolean }
  | { readonly kind: "outside" | "protected" | "bad" };

/**
 * Queries the disk in its current state. What takes longer is only requested by a query, whose result does not count
 * until `readRequested` has read it: see `settle`.
 */
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
   * Returns whether a walk finds a file that makes other programs run code, or ends at readerWalkEntries. Installed packages
   * and links are left out.
   */
  holdsCodeRunningFile(folder: SafePath<"model">): boolean;
  /**
   * Returns the names a glob (in the form of `Word.pattern`) expands to, none when it matches nothing; null when there
   * are too many, or when it leaves the project.
   */
  expand(pattern: string, cwd: string): readonly ExpandedName[] | null;
  /** Reads what was requested; false when everything is known. */
  readRequested(): Promise<boolean>;
  /** The budget of the judgement is used up: the last results are not complete. */
  readonly isExhausted: boolean;
}

/** Repeats a judgement until the probe has read everything that it requested. */
export async function settle<T>(probe: FsProbe, judge: () => T): Promise<T> {
  let result = judge();
  while (await probe.readRequested()) result = judge();
  return result;
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

/** Maximum names of one expansion. */
const maxExpandedNames = 20_000;
/** Paths resolved between two turns of the event loop. */
const locatesPerTurn = 300;

/** Returns a probe of the real disk for one judgement. */
export function makeFsProbe(policy: PathPolicy, survey: FolderSurvey = makeFolderSurvey()): FsProbe {
  const locations = new Map<string, PathLocation>();
  const results = new Map<string, boolean | readonly ExpandedName[] | null>();
  const requests = new Map<string, () => Promise<boolean | readonly ExpandedName[] | null>>();
  let located = 0;
  let isIncomplete = false;
  const resultOf = (key: string, request: () => Promise<boolean | readonly ExpandedName[] | null>) => {
    if (!results.has(key)) requests.set(key, request);
    return results.get(key) ?? null;
  };
  return {
    locate(text, cwd) {
      const key = `${cwd}\0${text}`;
      const cached = locations.get(key);
      if (cached !== undefined) return cached;
      isIncomplete ||= located >= locatesPerTurn;
      if (isIncomplete || !survey.spend()) return { kind: "bad" };
      located += 1;
      const place = locatePath(text, cwd, policy);
      locations.set(key, place);
      return place;
    },
    canEnter: (folder) => isSearchable(folder.absolute),
    isInReadRoot(text) {
      const found = modelPath(text, "read", policy);
      return found.ok && found.value.readRoot !== null;
    },
    isClean: (folder, skipsHidden) =>
      resultOf(`${skipsHidden ? "shown" : "all"}\0${folder.absolute}`, () =>
        isCleanBelow(folder, skipsHidden, policy, survey),
      ) === true,
    holdsCodeRunningFile: (folder) =>
      resultOf(`code\0${folder.absolute}`, () => isCodeRunningFileBelow(folder.absolute, survey)) === true,
    expand(pattern, cwd) {
      const names = resultOf(`glob\0${cwd}\0${pattern}`, () => expandGlob(pattern, cwd, policy, survey));
      return typeof names === "boolean" ? null : names;
    },
    async readRequested() {
      if (!isIncomplete && requests.size === 0) return false;
      for (const [key, request] of requests) results.set(key, await request());
      requests.clear();
      await nextTurn();
      located = 0;
      isIncomplete = false;
      return true;
    },
    get isExhausted() {
      return survey.isExhausted;
    },
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

async function isCleanBelow(
  top: SafePath<"model">,
  skipsHidden: boolean,
  policy: PathPolicy,
  survey: FolderSurvey,
): Promise<boolean> {
  const folders = [top];
  const visited = new Set([top.absolute]);
  const shown = skipsHidden ? makeReincludedNames() : null;
  shown?.readDownTo(top.absolute);
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await survey.list(folder.absolute, readerWalkEntries);
    if (entries === null) return false;
    shown?.readIn(
      folder.absolute,
      entries.map((entry) => entry.name),
    );
    for (const entry of entries) {
      seen += 1;
      if (seen > readerWalkEntries || !(await survey.step())) return false;
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

async function isCodeRunningFileBelow(top: string, survey: FolderSurvey): Promise<boolean> {
  const folders = [""];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await survey.list(`${top}/${folder}`, readerWalkEntries);
    if (entries === null) return true;
    for (const entry of entries) {
      seen += 1;
      const relative = folder + entry.name;
      if (runsCode(relative) || seen > readerWalkEntries || !(await survey.step())) return true;
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(`${relative}/`);
    }
  }
  return false;
}

async function expandGlob(
  pattern: string,
  cwd: string,
  policy: PathPolicy,
  survey: FolderSurvey,
): Promise<readonly ExpandedName[] | null> {
  let names: readonly ExpandedName[] = [
    { text: pattern.startsWith("/") ? "/" : "", certain: true, unlinked: !pattern.startsWith("/") },
  ];
  for (const component of pattern.split(/\/+/).filter((part) => part !== "")) {
    const next: ExpandedName[] = [];
    const matcher = shellComponent(component);
    for (const name of names) {
      const found =
        matcher.kind === "plain"
          ? [plainChild(matcher.text, name, cwd)]
          : await listInProject(name, cwd, policy, survey);
      if (found === null) return null;
      for (const child of found) {
        if (!(await survey.step())) return null;
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

/** Returns what a wildcard in a folder is compared with; null when only the program may open the folder. */
async function listInProject(
  folder: ExpandedName,
  cwd: string,
  policy: PathPolicy,
  survey: FolderSurvey,
): Promise<readonly NamedEntry[] | null> {
  if (folder.text.includes("\uFFFD")) return null;
  // A folder that is none, or that does not exist, has no names.
  const place = folder.unlinked ? null : locatePath(folder.text, cwd, policy);
  if (place !== null && place.kind !== "inside") return place.kind === "bad" ? [] : null;
  const entries = await survey.list(globFolder(folder, cwd));
  if (survey.isExhausted) return null;
  return entries === null ? [] : [...dotEntries, ...entries];
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
