/** The servers of the home's file and of a project's files, each with its id and the hash of how it is started. */
import { join } from "node:path";
import { type AgentError, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import { computeHash } from "@/server/base/id";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { toSourceId } from "@/server/tools/toolbox/tool-name";
import type { FeatureHost } from "../feature";
import type { ConfigInput } from "./config/inputs";
import { maxMcpServers, type McpConfigProblem, type McpServerConfig, parseMcpConfig } from "./config/server-config";
import type { ServerKey } from "./server-life";
import { type McpFile, type McpFileReader, makeMcpFileReader } from "./mcp-file";

/** Files of a project, relative to it. A server of one hides those of the same name in the files after it. */
const projectFiles = [".gopi/mcp.json", ".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"] as const;

/** A server of a file with the id that its tools have. */
export interface ConfiguredServer {
  readonly id: string;
  readonly config: McpServerConfig;
  /** Hash of how it is started, and of its id if that has a number. */
  readonly launch: Hash;
  /** Absolute path. */
  readonly file: string;
  /** The project whose file names it; null = the home's. */
  readonly projectId: ProjectId | null;
  /** Name of its processes: a server of the home and one of a project may have one name. */
  readonly key: string;
  /** Other files of the project that name a server like it; those are not used. */
  readonly alsoIn: readonly string[];
  /** Values that its file asks the user for. */
  readonly inputs: readonly ConfigInput[];
}

/** The process of a server in a project. */
export const processKey = ({ key, launch }: ConfiguredServer, projectId: ProjectId): ServerKey => ({
  project: projectId,
  server: key,
  launch,
});

interface FileProblem {
  readonly file: string;
  readonly error: AgentError;
}

export function problemError(problem: McpConfigProblem): AgentError {
  return { code: "bad_input", facts: { ...problem } };
}

export interface ConfiguredServers {
  /** Ordered by id. */
  ofHome(): readonly ConfiguredServer[];
  /** Servers of the home, and those of the project if it was opened and is trusted. Ordered by id. */
  in(projectId: ProjectId): readonly ConfiguredServer[];
  /** Servers of the files of opened projects. */
  ofProjects(): readonly ConfiguredServer[];
  /** Finds the files of a project. Fails with not_found if there is no such project. */
  open(projectId: ProjectId): Promise<Result<void>>;
  problems(projectId: ProjectId): readonly FileProblem[];
  /**
   * Whether an entry that cannot be used refers to a variable or input; also true while a file cannot be read. Of the home's
   * file (null), or of a project's.
   */
  mayRefer(projectId: ProjectId | null, name: string): boolean;
  /** Paths of the home's file and of those that an opened project may have. */
  files(projectId: ProjectId): readonly string[];
  /** Real path of an opened project; null = it was not opened. */
  rootOf(projectId: ProjectId): string | null;
  /** Real paths of all opened projects. */
  roots(): readonly string[];
  /**
   * Whether the home's file, which is there and can be read, does not name a server. False = it does, or that is not
   * certain, or it is the file of a project: another branch may have another one.
   */
  isMissing(file: string, name: string): boolean;
  /** Files of an opened project that are not read, since the user does not trust it. */
  untrusted(projectId: ProjectId): readonly string[];
}

interface OpenedProject {
  readonly root: string;
  trusted(): boolean;
  readonly readers: readonly McpFileReader[];
  /** Lists that `own` was made of. */
  from: readonly unknown[];
  own: readonly ConfiguredServer[];
}

interface ConfiguredServersOptions extends Pick<FeatureHost, "projects" | "now"> {
  readonly file: McpFileReader;
  /** Ids of sources of other kinds, which no server gets. */
  otherIds(): readonly string[];
  /** Servers have changed: some may not be in the files any more. */
  onChange(): void;
}

export function makeConfiguredServers({
  projects,
  now,
  file,
  otherIds,
  onChange,
}: ConfiguredServersOptions): ConfiguredServers {
  const opened = new Map<ProjectId, OpenedProject>();
  let lastHome: { readonly read: ReturnType<McpFile["read"]>; readonly others: string } | null = null;
  let home: readonly ConfiguredServer[] = [];
  const ofHome = (): readonly ConfiguredServer[] => {
    const read = file.read();
    const others = otherIds().join("\n");
    if (read === lastHome?.read && others === lastHome.others) return home;
    lastHome = { read, others };
    const { inputs } = read;
    const found = read.servers.map((config) => ({ config, file: file.path, alsoIn: [], inputs }));
    home = assignIds(found, null, otherIds());
    onChange();
    return home;
  };
  const ofProject = (projectId: ProjectId): readonly ConfiguredServer[] => {
    const project = opened.get(projectId);
    if (project === undefined) return [];
    const shared = ofHome();
    const reads = project.trusted() ? project.readers.map((reader) => reader.read()) : [];
    const from = [shared, ...reads];
    const isSame = project.from.length === from.length && from.every((one, at) => one === project.from[at]);
    if (isSame) return project.own;
    project.from = from;
    const found = mergeFiles(project.readers.map(({ path }, at) => ({ path, read: reads[at] })));
    const ids = [...otherIds(), ...shared.map(({ id }) => id)];
    project.own = assignIds(found.slice(0, maxMcpServers), projectId, ids);
    onChange();
    return project.own;
  };
  return {
    ofHome,
    in: (projectId) => sortById([...ofHome(), ...ofProject(projectId)]),
    ofProjects: () => [...opened.keys()].flatMap(ofProject),
    async open(projectId) {
      const found = await projects.get(projectId);
      if (!found.ok) return found;
      const { root, trusted } = found.value;
      const parse = (text: string) => parseMcpConfig(text, ["mcpServers", "servers"]);
      if (opened.get(projectId)?.root !== root)
        opened.set(projectId, {
          root,
          trusted,
          readers: projectFiles.map((path) => makeMcpFileReader(join(root, path), now, parse)),
          from: [],
          own: [],
        });
      return ok(undefined);
    },
    files: (projectId) => [file.path, ...(opened.get(projectId)?.readers ?? []).map(({ path }) => path)],
    problems(projectId) {
      const project = opened.get(projectId);
      const readers = project?.trusted() === true ? project.readers : [];
      return [file, ...readers].flatMap(problemsOf);
    },
    mayRefer: (projectId, name) =>
      (projectId === null ? [file] : (opened.get(projectId)?.readers ?? [])).some((reader) =>
        faultRefers(reader, name),
      ),
    rootOf: (projectId) => opened.get(projectId)?.root ?? null,
    roots: () => [...opened.values()].map(({ root }) => root),
    isMissing: (path, name) => path === file.path && lacksServer(file, name),
    untrusted(projectId) {
      const project = opened.get(projectId);
      if (project === undefined || project.trusted()) return [];
      return project.readers.flatMap((reader) => (reader.exists() ? [reader.path] : []));
    },
  };
}

function problemsOf({ path, read }: McpFileReader): readonly FileProblem[] {
  const { problems, error } = read();
  const errors = [...(error === undefined ? [] : [error]), ...problems.map(problemError)];
  return errors.map((one) => ({ file: path, error: one }));
}

function faultRefers({ read }: McpFileReader, name: string): boolean {
  const { error, faultyNames } = read();
  return error !== undefined || faultyNames.has(name);
}

function lacksServer({ hasText, read }: McpFileReader, name: string): boolean {
  const { servers, problems, error } = read();
  const isOfOthers = problems.every((problem) => "server" in problem && problem.server !== name);
  return hasText() && error === undefined && isOfOthers && !servers.some((one) => one.name === name);
}

const sortById = (servers: readonly ConfiguredServer[]): readonly ConfiguredServer[] =>
  servers.toSorted((a, b) => (a.id < b.id ? -1 : 1));

type FoundServer = Pick<ConfiguredServer, "config" | "file" | "alsoIn" | "inputs">;

/** Merges the files; of servers with one name, the one of the first file is used. */
function mergeFiles(
  files: readonly { readonly path: string; readonly read: ReturnType<McpFile["read"]> | undefined }[],
): readonly FoundServer[] {
  const byName = new Map<string, FoundServer>();
  for (const { path, read } of files)
    for (const config of read?.servers ?? []) {
      const name = config.name.toLowerCase();
      const first = byName.get(name);
      byName.set(
        name,
        first === undefined
          ? { config, file: path, alsoIn: [], inputs: read?.inputs ?? [] }
          : { ...first, alsoIn: [...first.alsoIn, path] },
      );
    }
  return [...byName.values()];
}

/**
 * Ids are unique, also among this program's own sources and those that are `taken`: of two names with one id, the later
 * one gets a number. An id with a number is a part of the launch: when it moves to another server, or a server to another
 * id, an earlier approval does not count.
 */
function assignIds(
  found: readonly FoundServer[],
  projectId: ProjectId | null,
  taken: readonly string[],
): readonly ConfiguredServer[] {
  const ids = new Set<string>([...Object.values(ownSourceIds), ...taken]);
  const assigned = found
    .toSorted((a, b) => (a.config.name < b.config.name ? -1 : 1))
    .map((server) => {
      const { name } = server.config;
      const plain = toSourceId(name);
      let id = plain;
      for (let number = 2; ids.has(id); number += 1) id = `${plain}${number}`;
      ids.add(id);
      const key = projectId === null ? name : `${projectId}\n${name}`;
      return { ...server, id, projectId, key, launch: launchHash(server.config, id === plain ? null : id) };
    });
  return sortById(assigned);
}

const fileOf = ({ envFile }: Extract<McpServerConfig, { kind: "stdio" }>) =>
  envFile === undefined ? [] : [{ envFile }];

/** Returns the hash that an approval is bound to: of the texts as written, with the names of variables and not their values. */
const launchHash = (config: McpServerConfig, numberedId: string | null): Hash =>
  computeHash(
    JSON.stringify([
      ...(config.kind === "stdio"
        ? [config.command, config.args, config.cwd, Object.entries(config.env).toSorted(), ...fileOf(config)]
        : [config.url, Object.entries(config.headers).toSorted()]),
      ...(numberedId === null ? [] : [{ id: numberedId }]),
    ]),
  );
