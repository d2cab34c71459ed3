/** Reads the folders of skills, each for a limited time: one of a network that does not answer leaves out only its own. */
import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import type { SkillPlaceName, SkillPlaceWarning, SkillWarning } from "@/lib/tools/skills";
import { isLate, makeBoundedAttempts } from "@/server/base/bounded-attempts";
import { isInFolder } from "@/server/base/is-in-folder";
import { findSkills, type SkillFile } from "./find-skills";
import { type ParsedSkill, parseSkill, skillMaxBytes } from "./parse-skill";
import { readFileInside } from "@/server/workspace/files/read-file-inside";

export interface FoundSkill extends Omit<ParsedSkill, "body"> {
  readonly folder: string;
  /** The folder without links, when it was found. */
  readonly realFolder: string;
  readonly file: string;
}

export interface FoundPlace {
  readonly kind: SkillPlaceName;
  readonly path: string;
  /** Real path; null = it does not exist. */
  readonly root: string | null;
  readonly skills: readonly FoundSkill[];
  readonly warnings: readonly SkillPlaceWarning[];
}

interface NamedPlace {
  readonly kind: SkillPlaceName;
  readonly path: string;
  /** The project that it must not lead out of; null = it may be a link. */
  readonly within: string | null;
  /** False = it is not looked into. */
  readonly isRead: boolean;
}

/** Functions and time limits for looking into the folders. */
export interface SkillLookups {
  /** Rejects for a missing folder. */
  realpath(path: string): Promise<string>;
  readonly find: typeof findSkills;
  /** Longest wait for the path of a folder and for its content, ms. */
  readonly pathMs: number;
  readonly contentMs: number;
}

/**
 * Together they are clearly shorter than a session waits for the whole list (`prepareMs` of the catalogue), and the folders
 * are read at the same time: so one that does not answer leaves out only its own skills.
 */
export const defaultLookups: SkillLookups = { realpath, find: findSkills, pathMs: 500, contentMs: 1_000 };

interface ParsedFile {
  readonly version: string;
  readonly skill: Omit<ParsedSkill, "body">;
}

interface PlaceReader {
  /** Rejects when the signal fires. */
  read(places: readonly NamedPlace[], signal: AbortSignal): Promise<readonly FoundPlace[]>;
  /** Forgets what was read of all other files. */
  keepFiles(files: ReadonlySet<string>): void;
}

export function makePlaceReader(lookups: SkillLookups): PlaceReader {
  const attemptPath = makeBoundedAttempts(lookups.pathMs);
  const attemptContent = makeBoundedAttempts(lookups.contentMs);
  const parsed = new Map<string, ParsedFile>();
  const readSkill = async ({ version, bytes, ...place }: SkillFile): Promise<FoundSkill> => {
    const before = parsed.get(place.file);
    if (before?.version === version) return { ...place, ...before.skill };
    const { body: _body, ...skill } = await readSkillFile(place, bytes);
    parsed.set(place.file, { version, skill });
    return { ...place, ...skill };
  };
  const readPlace = async (
    { kind, path, within, isRead }: NamedPlace,
    root: string | null,
    others: readonly string[],
    isRepeated: boolean,
    signal: AbortSignal,
  ): Promise<FoundPlace> => {
    if (isRepeated || !isRead) return { kind, path, root, skills: [], warnings: [] };
    const found = await lookups.find(path, within, others, signal);
    const skills: FoundSkill[] = [];
    for (const skill of found.skills) {
      signal.throwIfAborted();
      skills.push(await readSkill(skill));
    }
    return { kind, path, root: found.root, skills, warnings: found.warnings };
  };
  const read: PlaceReader["read"] = async (places, signal) => {
    const real = await Promise.all(places.map((place) => attemptPath(place.path, () => findRoot(place, lookups))));
    const roots = real.map((root) => (root.kind === "done" ? root.value : null));
    const readOne = async (place: NamedPlace, index: number): Promise<FoundPlace> => {
      const root = roots[index] ?? null;
      const others = roots.flatMap((other, at) => (other === null || at === index ? [] : [other]));
      // A folder that is a link to one before it has the same skills.
      const isRepeated = root !== null && roots.slice(0, index).includes(root);
      if (real[index]?.kind !== "done") return toSilentPlace(place, root, lookups.pathMs);
      const content = await attemptContent(place.path, () => readPlace(place, root, others, isRepeated, signal));
      signal.throwIfAborted();
      if (content.kind === "failed" && !isLate(content)) throw content.error;
      return content.kind === "done" ? content.value : toSilentPlace(place, root, lookups.contentMs);
    };
    return Promise.all(places.map(readOne));
  };
  return {
    read,
    keepFiles(files) {
      for (const file of parsed.keys()) if (!files.has(file)) parsed.delete(file);
    },
  };
}

/** The real path of a folder; null = missing, or a link out of its project: nothing is found in it. */
async function findRoot({ path, within }: NamedPlace, lookups: SkillLookups): Promise<string | null> {
  const root = await lookups.realpath(path).catch(() => null);
  return root === null || within === null || isInFolder(root, within) ? root : null;
}

/** A folder that did not answer in time, now or before. */
const toSilentPlace = ({ kind, path }: NamedPlace, root: string | null, limitMs: number): FoundPlace => ({
  kind,
  path,
  root,
  skills: [],
  warnings: [{ kind: "no_answer", path, limit: limitMs / 1_000 }],
});

/** Reads a SKILL.md once. The size was looked at before: a file that is too large is not read. */
async function readSkillFile(
  { realFolder, file }: Pick<SkillFile, "realFolder" | "file">,
  bytes: number,
): Promise<ParsedSkill> {
  const name = basename(realFolder);
  const spelled: readonly SkillWarning[] =
    basename(file) === "SKILL.md" ? [] : [{ kind: "file_name", detail: basename(file) }];
  const unusable = (problem: SkillWarning): ParsedSkill => ({
    ...parseSkill(new Uint8Array(), name),
    warnings: [problem, ...spelled],
  });
  if (bytes > skillMaxBytes) return unusable({ kind: "too_large", count: bytes, limit: skillMaxBytes });
  const content = await readFileInside(realFolder, basename(file), skillMaxBytes);
  if (!content.ok) return unusable({ kind: "unreadable" });
  const skill = parseSkill(content.value, name);
  return { ...skill, warnings: [...skill.warnings, ...spelled] };
}
