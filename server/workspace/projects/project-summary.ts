/**
 * Reads the project summary for a session's first message: branch and guide are two file reads, the tree is a slower
 * walk.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { limits, type Settings } from "@/lib/settings/settings";
import { joinRunning } from "@/server/base/concurrency";
import { modelPath } from "@/server/security/paths/safe-path";
import { readGitBranch } from "../git/git-head";
import type { ProjectPolicy } from "../search/ignore-rules";
import { drawTree } from "../search/project-tree";
import type { Files } from "../workspace";

/** Maximum delay of a prompt for reading branch and guide file, ms; without them afterwards. */
const guideWaitMs = 2_000;

export interface ProjectSummary {
  readonly branch: string | null;
  /** AGENTS.md, else README.md. */
  readonly guide: { readonly name: string; readonly text: string } | null;
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

type BranchAndGuide = Pick<ProjectSummary, "branch" | "guide">;

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
      const [branch, guide] = await Promise.all([readGitBranch(root), readGuide(policy, files)]);
      facts = { branch, guide };
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
    facts ??= { branch: null, guide: null };
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
  const signal = AbortSignal.timeout(limits.treeWalkMs);
  const tree = await drawTree(policy, folder.value, { depth: treeDepth, perFolder: treeFolderEntries }, signal);
  return tree.ok ? tree.value.text : "";
}

const guideNames = ["AGENTS.md", "README.md", "Readme.md", "readme.md"];

/** Reads the first guide that is not blank. */
async function readGuide(policy: ProjectPolicy, files: Pick<Files, "readText">): Promise<ProjectSummary["guide"]> {
  for (const name of guideNames) {
    const path = modelPath(name, "read", policy);
    const read = path.ok ? await files.readText(path.value, limits.readMaxBytes) : path;
    if (read.ok && read.value.text.trim() !== "") return { name, text: read.value.text };
  }
  return null;
}
