/** The only constructor of SafePath: resolves every link, then compares by component. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { isProtectedPath, type NamePolicy } from "./protected-names";

export { isProtectedName, isProtectedPath, runsCode } from "./protected-names";

declare const brand: unique symbol;

export type PathUse = "read" | "write";

/**
 * A path in the project or a read root with links resolved, permitted for the requester. A snapshot: the disk may
 * change afterwards.
 */
export type SafePath<By extends "model" | "owner" = "model" | "owner"> = {
  readonly absolute: string;
  /** The read root that contains it; null = the project. */
  readonly readRoot: string | null;
  /** relative to the project or the read root, forward slashes, "." for the root itself */
  readonly relative: string;
  /** The path in texts for the model: relative in the project, absolute in a read root. */
  readonly shown: string;
  readonly use: PathUse;
  readonly by: By;
  readonly [brand]: true;
};

export interface PathPolicy extends NamePolicy {
  /** real path of the project */
  readonly root: string;
  /** Absolute folders with the program's own data and keys: not accessible to the model, wherever they are. */
  readonly privateRoots?: readonly string[];
  /**
   * Real paths of folders beside the project that the model may read, even in a private root; never written. A path
   * that belongs to the project is judged by the project alone.
   */
  readonly readRoots?: readonly string[];
}

/**
 * Returns the policy fields that protect the program's home. A project inside the home is not private itself; the home
 * opened as a project is.
 */
export function privatePathPolicy(
  root: string,
  home: string,
): Required<Pick<PathPolicy, "privateRoots" | "privateFolders">> {
  const places = [...new Set([home, realPathOrSame(home)])];
  return { privateRoots: places, privateFolders: foldersIn(root, places) };
}

/** Returns the places that are in a folder, relative to it. */
const foldersIn = (folder: string, places: readonly string[]): readonly string[] =>
  places.map((place) => relativeTo(folder, place)).filter((relative) => relative !== null);

/**
 * Returns the policy for paths below a read root (null = the project): protected names are those of the project, its
 * rules do not apply, and the project itself is private there.
 */
export function policyForRoot<P extends PathPolicy>(policy: P, readRoot: string | null): P {
  if (readRoot === null) return policy;
  const privateRoots = [...(policy.privateRoots ?? []), policy.root];
  const privateFolders = foldersIn(readRoot, privateRoots);
  return { ...policy, root: readRoot, readRoots: [], isDenied: undefined, privateRoots, privateFolders };
}

function realPathOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet, so it is not a link either.
    return path;
  }
}

const maxPathBytes = 4096;
const maxComponentBytes = 255;
/** The limit of Linux. */
const maxLinks = 40;

/**
 * Resolves a path for the model. `text` may be relative to `cwd` (absolute, the root by default), absolute, or begin
 * with `~/`. A path that does not exist yet is judged by its deepest existing parent, a dangling link by its target.
 * Read roots are considered for reading only, after links are resolved.
 * Fails with outside, protected (as spelled, on the way, or at its target), bad_path or broken_link; facts: { path }.
 */
export function modelPath(
  text: string,
  use: PathUse,
  policy: PathPolicy,
  cwd = policy.root,
): Result<SafePath<"model">> {
  return safePath(text, use, "model", policy, cwd);
}

/**
 * Resolves a path for the owner's editor: inside the project only, protected names allowed. Fails like modelPath, but
 * never with protected.
 */
export function ownerPath(text: string, use: PathUse, policy: PathPolicy): Result<SafePath<"owner">> {
  return safePath(text, use, "owner", policy, policy.root);
}

/**
 * Resolves the path of an entry itself, for the owner's operations on it: links of its folder are followed, the entry
 * is not, so that it may be a link. Fails like ownerPath, with not_allowed for the project's folder, and with protected
 * for Git's own folder and what is in it.
 */
export function ownerEntryPath(text: string, policy: PathPolicy): Result<SafePath<"owner">> {
  const spelled = spellAbsolutePath(text, policy.root);
  if (spelled === null || /(^|\/)\.{1,2}$/.test(text)) return fail("bad_path", undefined, { path: text.slice(0, 200) });
  const absolute = posix.resolve(spelled);
  if (absolute === policy.root) return fail("not_allowed", undefined, { path: text });
  const folder = ownerPath(spelled.replace(/\/+[^/]*\/*$/, "") || "/", "write", policy);
  if (!folder.ok) return folder;
  const name = posix.basename(absolute);
  const relative = folder.value.relative === "." ? name : `${folder.value.relative}/${name}`;
  if (relative.split("/").some((component) => component.toLowerCase() === ".git"))
    return fail("protected", undefined, { path: relative });
  return ok(makeSafePath(folder.value, joinComponent(folder.value.absolute, name), relative));
}

/**
 * Returns a child of a safe folder found by walk or list. Null when it is protected (for the model), is a link that
 * leads out or is broken, or is not a single name. A link inside becomes its target: a caller that must not follow
 * links checks the entry's kind.
 */
export function childPath<By extends "model" | "owner">(
  parent: SafePath<By>,
  name: string,
  policy: PathPolicy,
): SafePath<By> | null {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0")) return null;
  const relative = parent.relative === "." ? name : `${parent.relative}/${name}`;
  if (parent.by === "model" && isProtectedPath(relative, policyForRoot(policy, parent.readRoot))) return null;
  const absolute = joinComponent(parent.absolute, name);
  if (!lstatOrUndefined(absolute)?.isSymbolicLink()) return makeSafePath(parent, absolute, relative);
  const child = safePath(absolute, parent.use, parent.by, policy, policy.root);
  return child.ok ? child.value : null;
}

function safePath<By extends "model" | "owner">(
  text: string,
  use: PathUse,
  by: By,
  policy: PathPolicy,
  cwd: string,
): Result<SafePath<By>> {
  const facts = { path: text.length > maxPathBytes ? `${text.slice(0, 200)}…` : text };
  const spelled = spellAbsolutePath(text, cwd);
  if (spelled === null) return fail("bad_path", undefined, facts);
  const end = resolveLinks(spelled, policy.root);
  if (end === null) return fail("broken_link", undefined, facts);
  const readRoot = by === "model" && use === "read" ? findReadRoot(end.absolute, policy) : null;
  const own = policyForRoot(policy, readRoot);
  if (by === "model" && isPrivate(end.absolute, own)) return fail("protected", undefined, facts);
  const relative = end.processDependent ? null : relativeTo(own.root, end.absolute);
  if (relative === null) return fail("outside", undefined, facts);
  const isProtected = (place: string): boolean => {
    const judging = belongsToRoot(place, policy) ? policy : own;
    const below = relativeTo(judging.root, place);
    return below !== null && isProtectedPath(below, judging);
  };
  if (by === "model" && [end.absolute, posix.normalize(spelled), ...end.links].some(isProtected)) {
    return fail("protected", undefined, facts);
  }
  if (use === "read" && end.dangling) return fail("broken_link", undefined, facts);
  return ok(makeSafePath({ readRoot, use, by }, end.absolute, relative));
}

function makeSafePath<By extends "model" | "owner">(
  { readRoot, use, by }: Pick<SafePath<By>, "readRoot" | "use" | "by">,
  absolute: string,
  relative: string,
): SafePath<By> {
  return { absolute, readRoot, relative, shown: readRoot === null ? relative : absolute, use, by } as SafePath<By>;
}

/** Returns the read root of a path that does not belong to the project; null = none. */
const findReadRoot = (absolute: string, policy: PathPolicy): string | null =>
  belongsToRoot(absolute, policy)
    ? null
    : (policy.readRoots?.find((root) => belongsToRoot(absolute, policyForRoot(policy, root))) ?? null);

/** Returns whether a path is in the root of the policy and not private there. */
const belongsToRoot = (absolute: string, policy: PathPolicy): boolean =>
  relativeTo(policy.root, absolute) !== null && !isPrivate(absolute, policy);

/**
 * Returns the absolute spelling, `..` included because a link before it changes its meaning; null for a path that no
 * disk can hold.
 */
function spellAbsolutePath(text: string, cwd: string): string | null {
  // A lone surrogate would become U+FFFD on the disk: a different name from the one judged.
  if (text === "" || text.includes("\0") || /\p{Surrogate}/u.test(text)) return null;
  const home = text === "~" || text.startsWith("~/") ? homedir() : null;
  if (home !== null && !posix.isAbsolute(home)) return null;
  const spelled = home !== null ? home + text.slice(1) : posix.isAbsolute(text) ? text : `${cwd}/${text}`;
  if (Buffer.byteLength(spelled) > maxPathBytes) return null;
  if (spelled.split("/").some((component) => Buffer.byteLength(component) > maxComponentBytes)) return null;
  return spelled;
}

interface ResolvedPath {
  readonly absolute: string;
  /** Paths of the links that were followed. */
  readonly links: readonly string[];
  /** The path itself is a link, and its target does not exist. */
  readonly dangling: boolean;
  /** A kernel link (/proc) was followed, which means something different to every process. */
  readonly processDependent: boolean;
}

/**
 * Resolves component by component as the kernel does, `..` after links included. Null when links form a cycle or
 * cannot be read.
 */
function resolveLinks(spelled: string, root: string): ResolvedPath | null {
  const fromRoot = root !== "/" && spelled.startsWith(`${root}/`);
  const pending = reversedComponents(fromRoot ? spelled.slice(root.length + 1) : spelled);
  const links: string[] = [];
  let at = fromRoot ? root : "/";
  let exists = true;
  let lastIsLink = false;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === "..") {
      at = posix.dirname(at);
      continue;
    }
    const next = joinComponent(at, part);
    const stats = lstatOrUndefined(next);
    exists = stats !== undefined;
    if (!stats?.isSymbolicLink()) {
      at = next;
      continue;
    }
    const target = linkTarget(next);
    if (target === null || links.length === maxLinks) return null;
    links.push(next);
    lastIsLink ||= pending.length === 0;
    if (target.startsWith("/")) at = "/";
    pending.push(...reversedComponents(target));
  }
  const unsure = links.some((link) => link.startsWith("/proc/"));
  return { absolute: at, links, dangling: lastIsLink && !exists, processDependent: unsure };
}

/** Returns the components last first, so that `pop` yields the next one. */
const reversedComponents = (path: string): string[] =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .reverse();

const joinComponent = (folder: string, name: string): string => (folder === "/" ? `/${name}` : `${folder}/${name}`);

function lstatOrUndefined(absolute: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false });
  } catch {
    // Below a file or a locked folder nothing can be opened either; the file layer reports it.
    return undefined;
  }
}

function linkTarget(link: string): string | null {
  try {
    const target = readlinkSync(link);
    // U+FFFD: the target's bytes are not valid text, so the path judged would not be the path opened.
    return target === "" || target.includes("\uFFFD") ? null : target;
  } catch {
    return null;
  }
}

/** Disks may fold case, so the comparison does: one name too many does no harm. */
function isPrivate(absolute: string, { root, privateRoots = [] }: PathPolicy): boolean {
  const folded = absolute.normalize("NFC").toLowerCase();
  return privateRoots.some((place) => {
    const home = place.normalize("NFC").toLowerCase();
    const isProjectIn = root !== place && relativeTo(place, root) !== null && relativeTo(root, absolute) !== null;
    return relativeTo(home, folded) !== null && !isProjectIn;
  });
}

/** Compares by component, so `project-evil` is not in `project`; null when outside. */
function relativeTo(root: string, absolute: string): string | null {
  if (absolute === root) return ".";
  const prefix = root === "/" ? "/" : `${root}/`;
  return absolute.startsWith(prefix) ? absolute.slice(prefix.length) : null;
}
