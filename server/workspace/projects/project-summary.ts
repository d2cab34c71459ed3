/**
 * Reads the project summary for a session's first message: branch and guide are two file reads, the tree is a slower
 * walk.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Settings } from "@/lib/settings/settings";
import { timeLimit } from "@/server/base/abort";
import { joinRunning } from "@/server/base/concurrency";
import { modelPath } from "@/server/security/paths/safe-path";
import type { ProjectPolicy } from "../search/ignore-rules";
import { drawTree } from "../search/project-tree";
import { type GuideReader, type ProjectFile, readFirst, readProjectGuides } from "./guide-files";

/** Maximum delay of a prompt for reading branch and guide file, ms; without them afterwards. */
const guideWaitMs = 2_000;

export interface ProjectSummary {
  readonly branch: string | null;
  /** Instructions for agents, else the README. */
  readonly guide: ProjectFile | null;
  /** A README beside a guide, then configuration of the project. */
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

interface SummaryOptions extends GuideReader {
  /** Returns the checked-out branch; null = there is none. */
  readBranch(): Promise<string | null>;
  /** Returns the tree as text; may take any time. */
  drawTree(): Promise<string>;
  /** Reports an unexpected failure. Must not throw. */
  onError(error: unknown): void;
}

export function makeProjectSummary({ readBranch, drawTree, onError, ...reader }: SummaryOptions): ProjectSummaryReader {
  let facts: BranchAndGuide | null = null;
  let tree: string | null = null;

  const readFromDisk = joinRunning(async (): Promise<void> => {
    try {
      const [branch, guides, configs] = await Promise.all([
        readBranch(),
        readProjectGuides(reader),
        readFirst(reader, configNames, configsMax),
      ]);
      const [guide = null, ...others] = guides;
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
  const signal = timeLimit(serverLimits.treeWalkMs);
  const tree = await drawTree(policy, folder.value, { depth: treeDepth, perFolder: treeFolderEntries }, signal);
  return tree.ok ? tree.value.text : "";
}

/** Files that name the project's language, scripts and dependencies, the most common first. */
const configNames = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "pom.xml", "composer.json", "Makefile"];
const configsMax = 2;
