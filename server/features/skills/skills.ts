/** The skills of this machine and of trusted projects: read again when they are needed, kept until they change. */
import { basename, isAbsolute, join } from "node:path";
import type { ProjectId } from "@/lib/events/id";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { type SkillPlaceWarning, skillProblemKinds, type SkillStatus, type SkillWarning } from "@/lib/tools/skills";
import { abortable } from "@/server/base/abort";
import type { Projects } from "@/server/workspace/projects/projects";
import { maxSkills } from "./find-skills";
import { type ParsedSkill, parseSkill, skillMaxBytes } from "./parse-skill";
import { defaultLookups, type FoundPlace, type FoundSkill, makePlaceReader, type SkillLookups } from "./read-places";
import { readFileInside } from "@/server/workspace/files/read-file-inside";
import type { SwitchedOffSkills } from "./switched-off";

/** A skill as it was read. Its text is read again when it is needed. */
export interface Skill extends FoundSkill {
  readonly status: SkillStatus;
  /** Folder of the skill of this name that is used. */
  readonly shadowedBy?: string;
}

interface SkillPlace extends Omit<FoundPlace, "skills"> {
  readonly skills: readonly Skill[];
}

export interface ProjectSkills {
  readonly isTrusted: boolean;
  /** Why it is not known what the user switched off; null = it is known. */
  readonly problem: AgentError | null;
  readonly places: readonly SkillPlace[];
}

export interface Skills {
  /**
   * Reads the folders again; the same object if nothing has changed. Calls for one project at one time share the work.
   * Fails with the codes of opening a project. Rejects when the signal fires.
   */
  refresh(projectId: ProjectId, signal: AbortSignal): Promise<Result<ProjectSkills>>;
  /** As they were last read; null = not yet. */
  peek(projectId: ProjectId): ProjectSkills | null;
  /**
   * Reads a skill's file now. Fails with gone if it is no longer there or may not be read any more, and with bad_input
   * if it cannot be used.
   */
  read(projectId: ProjectId, skill: Pick<Skill, "realFolder" | "file">): Promise<Result<ParsedSkill>>;
  /** The existing folders of skills outside of projects, as real paths. */
  homeRoots(): readonly string[];
}

interface SkillsOptions {
  /** This program's data folder, and the user's home folder. */
  readonly home: string;
  readonly userHome: string;
  readonly environment: NodeJS.Dict<string>;
  /** Folder of the skills that are part of the program. */
  readonly shippedFolder: string;
  readonly projects: Pick<Projects, "get">;
  /** The skills that are switched off, now. */
  readSwitchedOff(): SwitchedOffSkills;
  /** Ends all reading. */
  readonly stop: AbortSignal;
  /** Functions that look into the folders, which may be those of a network that does not answer. */
  readonly lookups?: SkillLookups;
}

const projectFolders = [".gopi/skills", ".agents/skills", ".claude/skills", ".ollama/skills"];
const homeFolders = [".agents/skills", ".claude/skills"];

/** The folder of Ollama's own agent, where that looks for it. */
const ollamaFolder = (userHome: string, { OLLAMA_SKILLS = "", XDG_CONFIG_HOME = "" }: NodeJS.Dict<string>): string =>
  [OLLAMA_SKILLS.trim(), XDG_CONFIG_HOME.trim() && join(XDG_CONFIG_HOME.trim(), "ollama/skills")].find(isAbsolute) ??
  join(userHome, ".ollama/skills");

const problems: ReadonlySet<string> = new Set(skillProblemKinds);

/** Whether a warning is why its skill cannot be used. */
const isProblem = ({ kind }: SkillWarning): boolean => problems.has(kind);

export function makeSkills({
  home,
  userHome,
  environment,
  shippedFolder,
  projects,
  readSwitchedOff,
  stop,
  lookups = defaultLookups,
}: SkillsOptions): Skills {
  const places = makePlaceReader(lookups);
  const current = new Map<ProjectId, ProjectSkills>();
  const reading = new Map<ProjectId, Promise<Result<ProjectSkills>>>();
  const homePlaces = [
    { kind: "data" as const, path: join(home, "skills") },
    ...homeFolders.map((name) => ({ kind: "home" as const, path: join(userHome, name) })),
    { kind: "home" as const, path: ollamaFolder(userHome, environment) },
    { kind: "shipped" as const, path: shippedFolder },
  ];
  let roots: readonly string[] = [];

  const readProject = async (projectId: ProjectId, signal: AbortSignal): Promise<Result<ProjectSkills>> => {
    const project = await projects.get(projectId);
    if (!project.ok) return project;
    const isTrusted = project.value.trusted();
    const { root } = project.value;
    const own = projectFolders.map((name) => ({
      kind: "project" as const,
      path: join(root, name),
      within: root,
      isRead: isTrusted,
    }));
    const found = await places.read(
      [...own, ...homePlaces.map((place) => ({ ...place, within: null, isRead: true }))],
      signal,
    );
    roots = found.flatMap(({ kind, root: real }) => (kind === "project" || real === null ? [] : [real]));
    const { problem, has } = readSwitchedOff();
    const next = { isTrusted, problem, places: assignStatus(limitSkills(found), has) };
    const before = current.get(projectId);
    const same = before !== undefined && JSON.stringify(before) === JSON.stringify(next) ? before : next;
    current.set(projectId, same);
    places.keepFiles(new Set([...current.values()].flatMap(listFiles)));
    return ok(same);
  };
  return {
    refresh(projectId, signal) {
      const work = reading.get(projectId) ?? readProject(projectId, stop).finally(() => reading.delete(projectId));
      reading.set(projectId, work);
      return abortable(work, signal);
    },
    peek: (projectId) => current.get(projectId) ?? null,
    async read(projectId, { realFolder, file }) {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const place = current.get(projectId)?.places.find(({ skills }) => skills.some((one) => one.file === file));
      if (place === undefined || (place.kind === "project" && !project.value.trusted())) return fail("gone");
      const bytes = await readFileInside(realFolder, basename(file), skillMaxBytes);
      if (!bytes.ok) return fail(bytes.error.code === "too_large" ? "bad_input" : "gone");
      const skill = parseSkill(bytes.value, basename(realFolder));
      return skill.warnings.some(isProblem) ? fail("bad_input") : ok(skill);
    },
    homeRoots: () => roots,
  };
}

/** Leaves out the skills beyond the limit of all places. */
function limitSkills(places: readonly FoundPlace[]): readonly FoundPlace[] {
  let left = maxSkills;
  return places.map((place) => {
    const skills = place.skills.slice(0, left);
    left -= skills.length;
    const first = place.skills[skills.length];
    if (first === undefined) return place;
    const warning: SkillPlaceWarning = { kind: "too_many_skills", path: first.folder, limit: maxSkills };
    return { ...place, skills, warnings: [...place.warnings.filter(({ kind }) => kind !== warning.kind), warning] };
  });
}

/** The first skill of a name that is on and can be used is used; the others of the name are shadowed. */
function assignStatus(places: readonly FoundPlace[], isOff: (folder: string) => boolean): readonly SkillPlace[] {
  const used = new Map<string, { readonly folder: string; readonly place: FoundPlace }>();
  for (const place of places)
    for (const { name, folder, warnings } of place.skills)
      if (!used.has(name) && !isOff(folder) && !warnings.some(isProblem)) used.set(name, { folder, place });
  return places.map((place) => ({
    ...place,
    skills: place.skills.map((skill): Skill => {
      if (skill.warnings.some(isProblem)) return { ...skill, status: "unusable" };
      if (isOff(skill.folder)) return { ...skill, status: "off" };
      const first = used.get(skill.name);
      if (first === undefined || first.folder === skill.folder) return { ...skill, status: "on" };
      const warnings: readonly SkillWarning[] =
        first.place === place ? [...skill.warnings, { kind: "same_name", detail: first.folder }] : skill.warnings;
      return { ...skill, warnings, status: "shadowed", shadowedBy: first.folder };
    }),
  }));
}

const listFiles = ({ places }: ProjectSkills): readonly string[] =>
  places.flatMap(({ skills }) => skills.map(({ file }) => file));
