/**
 * Reads the project summary for a session's first message: branch and guide are two file reads, the tree is a slower
 * walk.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { limits, type Settings } from "@/lib/settings/settings";
import { timeLimit } from "@/server/base/abort";
import { joinRunning } from "@/server/base/concurrency";
import { modelPath } from "@/server/security/paths/safe-path";
import { readGitBranch } from "../git/git-head";
import type { ProjectPolicy } from "../search/ignore-rules";
import { drawTree } from "../search/project-tree";
import type { Files } from "../workspace";

/** Maximum delay of a prompt for reading branch and guide file, ms; without them afterwards. */
const guideWaitMs = 2_000;

interface ProjectFile {
  readonly name: string;
  readonly text: string;
}

export interface ProjectSummary {
  readonly branch: string | null;
  /** AGENTS.md, else README.md. */
  readonly guide: ProjectFile | null;
  /** A README beside AGENTS.md, then configuration of the project. */
  readonly extras: readonly ProjectFile[];
  /** null = the first walk has not finished. */
  readonly tree: string | null;
}

interface ProjectSummaryReader {
  /** Returns null until branch and guide were read once. */
  current(): ProjectSummary | null;
  /** Reads branch and guide again; waits at most `guideWaitMs`. Never rejects. */
  readFacts(): Promise<void>;
  /** Reads everything again; joins a running walk. Never rejects: a failure is reported and the next call retries. */
  refresh(): Promise<void>;
}

type BranchAndGuide = Pick<ProjectSummary, "branch" | "guide" | "extras">;

interface SummaryOptions {
  readonly root: string;
  readonly policy: ProjectPolicy;
  readonly files: Pick<Files, "readText">;
  /** Returns the tree as text; may take any time. */
  drawTree(): Promise<string>;
  /** Reports an unexpected failure. Must not throw. */
  onError(error: unknown): void;
}

export function makeProjectSummary({ root, policy, files, drawTree, onError }: SummaryOptions): ProjectSummaryReader {
  let facts: BranchAndGuide | null = null;
  let tree: string | null = null;

  const readFromDisk = joinRunning(async (): Promise<void> => {
    try {
      const [branch, readmes, configs] = await Promise.all([
        readGitBranch(root),
        readFirst(policy, files, guideNames, 2),
        readFirst(policy, files, configNames, configsMax),
      ]);
      const [guide = null, ...others] = readmes;
      facts = { branch, guide, extras: [...others, ...configs] };
    } catch (error) {
      onError(error);
    }
  });
  const readFacts = async (): Promise<void> => {
    const reading = readFromDisk();
    const done = new AbortController();
    const late = sleep(guideWaitMs, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([reading, late]);
    done.abort();
    // If the disk does not answer, the summary is still usable: folder and system are available.
    facts ??= { branch: null, guide: null, extras: [] };
  };
  const walk = joinRunning(async (): Promise<void> => {
    try {
      tree = await drawTree();
    } catch (error) {
      onError(error);
    }
  });
  return {
    current: () => (facts === null ? null : { ...facts, tree }),
    readFacts,
    async refresh() {
      await Promise.all([walk(), readFacts()]);
    },
  };
}

/** Formats the project tree for the first message, within `treeWalkMs`; "" on failure. */
export async function drawProjectTree(
  policy: ProjectPolicy,
  { treeDepth, treeFolderEntries }: Pick<Settings, "treeDepth" | "treeFolderEntries">,
): Promise<string> {
  const folder = modelPath(".", "read", policy);
  if (!folder.ok) return "";
  const signal = timeLimit(limits.treeWalkMs);
  const tree = await drawTree(policy, folder.value, { depth: treeDepth, perFolder: treeFolderEntries }, signal);
  return tree.ok ? tree.value.text : "";
}

const guideNames = ["AGENTS.md", "README.md", "Readme.md", "readme.md"];

/** Files that name the project's language, scripts and dependencies, the most common first. */
const configNames = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "pom.xml", "composer.json", "Makefile"];
const configsMax = 2;

/** Reads the first files of the list that are not blank; names that differ only in case are one file. */
async function readFirst(
  policy: ProjectPolicy,
  files: Pick<Files, "readText">,
  names: readonly string[],
  count: number,
): Promise<readonly ProjectFile[]> {
  const found: ProjectFile[] = [];
  for (const name of names) {
    if (found.length === count) break;
    if (found.some((file) => file.name.toLowerCase() === name.toLowerCase())) continue;
    const path = modelPath(name, "read", policy);
    const read = path.ok ? await files.readText(path.value, limits.readMaxBytes) : path;
    if (read.ok && read.value.text.trim() !== "") found.push({ name, text: read.value.text });
  }
  return found;
}
