/** Facts about a project that make its first tasks concrete. Bounded in time, files and matches; runs no code of the project. */
import * as z from "zod/mini";
import type { ProjectFacts } from "@/lib/protocol/answers";
import { timeLimit } from "@/server/base/abort";
import { ownerPath } from "@/server/security/paths/safe-path";
import { openProjectGit } from "../git/project-git";
import type { OpenProject } from "./projects";

/** Time for each fact, ms. */
const factMs = 3_000;
const testFileMaxBytes = 200_000;
const commitMaxBytes = 10_000;
const todosMax = 200;

const packageSchema = z.object({ scripts: z.optional(z.object({ test: z.optional(z.string()) })) });

type FactsProject = Pick<OpenProject, "files" | "policy" | "root" | "search" | "trusted">;

/** Returns the facts; those that cannot be found in time are null. Never rejects. */
export async function readProjectFacts(
  project: FactsProject,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<ProjectFacts> {
  const [testCommand, todos, lastCommit] = await Promise.all([
    findTestCommand(project).catch(() => null),
    findTodos(project, timeLimit(factMs, signal)).catch(() => null),
    readLastCommit(project, environment, timeLimit(factMs, signal)).catch(() => null),
  ]);
  return { testCommand, todos, lastCommit };
}

/** Test commands by the file that shows them, in the order in which they are looked for. Only files that match `shown` count. */
const testFiles: readonly { readonly file: string; readonly command: string; readonly shown: RegExp }[] = [
  { file: "pyproject.toml", command: "pytest", shown: /pytest/ },
  { file: "pytest.ini", command: "pytest", shown: /\[pytest\]/ },
  { file: "go.mod", command: "go test ./...", shown: /^module /m },
  { file: "Cargo.toml", command: "cargo test", shown: /^\[(package|workspace)\]/m },
  { file: "Makefile", command: "make test", shown: /^test\s*:(?!=)/m },
];

async function findTestCommand(project: FactsProject): Promise<string | null> {
  const npm = await findTestScript(project).catch(() => null);
  if (npm !== null) return npm;
  for (const { file, command, shown } of testFiles)
    if (shown.test((await readProjectFile(project, file)) ?? "")) return command;
  return null;
}

async function findTestScript(project: FactsProject): Promise<string | null> {
  const text = await readProjectFile(project, "package.json");
  if (text === null) return null;
  const script = packageSchema.parse(JSON.parse(text)).scripts?.test;
  // npm writes this one into a new package.
  return script === undefined || script.includes("no test specified") ? null : "npm test";
}

async function readProjectFile({ files, policy }: FactsProject, name: string): Promise<string | null> {
  const path = ownerPath(name, "read", policy());
  const text = path.ok ? await files.readText(path.value, testFileMaxBytes) : path;
  return text.ok ? text.value.text : null;
}

async function findTodos({ search, policy }: FactsProject, signal: AbortSignal): Promise<ProjectFacts["todos"]> {
  const path = ownerPath(".", "read", policy());
  if (!path.ok) return null;
  const found = await search.grep({ pattern: String.raw`\b(TODO|FIXME)\b`, path: path.value, max: todosMax }, signal);
  return found.ok
    ? countTodos(
        found.value.matches.map((match) => match.path),
        found.value.more,
      )
    : null;
}

/** Returns the folder at the top of the project with the most of the paths; "" = the project's own. Pure. */
export function countTodos(paths: readonly string[], hasMore: boolean): ProjectFacts["todos"] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most === undefined ? null : { folder: most[0], count: most[1], hasMore };
}

/** Its first line; null also in a folder that is not trusted. */
async function readLastCommit(
  project: FactsProject,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<string | null> {
  const git = await openProjectGit(project, environment, signal);
  if (!git.ok || typeof git.value === "string") return null;
  const log = await git.value.run(["log", "-1", "--format=%s"], { maxBytes: commitMaxBytes });
  const subject = log.ok ? log.value.toString("utf8").trim() : "";
  return subject === "" ? null : subject;
}
