/** Compares source control with git itself, alternating: status, the diff of a large file, one staged hunk, and the log. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectId } from "@/lib/events/id";
import { layoutGraph } from "@/lib/workspace/commit-graph";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { makeTree } from "../data/make-tree";
import { type BenchProduct, startProduct } from "../server/bench-product";

const budgets = { status: 1.2, diff: 1.2, stage: 1.5, log: 1.5 };
const largeFile = "large.txt";
const lines = 10_000;
const commits = 2_000;
/** A page of the log. */
const pageCommits = 200;

type Figure = keyof typeof budgets;
type Samples = Readonly<Record<Figure, { readonly own: number[]; readonly git: number[] }>>;

export async function sourceControl(bench: Bench): Promise<readonly BenchRow[]> {
  const files = bench.quick ? 5_000 : 20_000;
  const project = bench.folder("project");
  makeTree(project, { files, lines: 3 });
  writeLargeFile(project, null);
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "first"],
  ])
    runGit(project, words);
  addCommits(project);
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home: bench.folder("home"), project, modelUrl: model.url });
  const samples: Samples = { status: sides(), diff: sides(), stage: sides(), log: sides() };
  try {
    const projectId = await findProject(product);
    await product.call("project.trust", { projectId, trusted: true });
    const rounds = bench.quick ? 5 : 21;
    for (let round = 0; round <= rounds; round += 1) {
      writeLargeFile(project, round);
      const measured = await measureRound(product, projectId, project);
      // The first round warms the file cache for both.
      if (round === 0) continue;
      for (const name of ["status", "diff", "stage", "log"] as const) {
        samples[name].own.push(measured[name].own);
        samples[name].git.push(measured[name].git);
      }
    }
    return [
      row("status", `status of ${files.toLocaleString("en")} files`, "git status", samples),
      row("diff", `diff of a file of ${lines.toLocaleString("en")} lines`, "git diff", samples),
      row("stage", "one hunk staged", "git diff and git apply --cached", samples),
      row("log", `log of ${pageCommits} commits with its graph`, "git log", samples),
    ];
  } finally {
    await product.end();
    await model.close();
  }
}

const sides = () => ({ own: [], git: [] });

/** Changes one line; null = the file of the first commit. */
function writeLargeFile(project: string, round: number | null): void {
  const content = Array.from({ length: lines }, (_, index) => `${index} ${index === 5_000 ? (round ?? "") : "text"}`);
  writeFileSync(join(project, largeFile), `${content.join("\n")}\n`);
}

/** Adds commits to the branch, of which every third is a merge. */
function addCommits(project: string): void {
  const [head = ""] = runGit(project, ["rev-parse", "HEAD"]).toString().split("\n");
  const steps = Array.from({ length: commits }, (_, index): string => {
    const merged = index % 3 === 2 ? `merge :${index - 1}\n` : "";
    const parent = index === 0 ? head : `:${index}`;
    const text = `change ${index}`;
    const committer = `committer bench <bench@example.org> ${1_700_000_000 + index} +0000`;
    return `commit refs/heads/load\nmark :${index + 1}\n${committer}\ndata ${text.length}\n${text}\nfrom ${parent}\n${merged}`;
  });
  runGit(project, ["fast-import", "--quiet"], Buffer.from(steps.join("\n")));
  runGit(project, ["reset", "-q", "--soft", "load"]);
}

const runGit = (project: string, words: readonly string[], input?: Buffer): Buffer => {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  return spawnSync("git", [...identity, ...words], { cwd: project, input, maxBuffer: 64_000_000 }).stdout;
};

async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
}

async function findProject(product: BenchProduct): Promise<ProjectId> {
  const [project] = (await product.call("project.list", {})).projects;
  if (project === undefined) throw new Error("no project");
  return project.id;
}

async function measureRound(product: BenchProduct, projectId: ProjectId, project: string) {
  const target = { projectId, path: largeFile, side: "changed" as const, isUntracked: false };
  const gitStatus = await timed(() => runGit(project, ["status", "--porcelain=v2", "-z", "--branch"]));
  const ownStatus = await timed(() => product.call("source.status", { projectId }));
  const gitDiff = await timed(() => runGit(project, ["diff", "--", largeFile]));
  const ownDiff = await timed(() => product.call("source.diff", target));
  const gitStage = await timed(() =>
    runGit(project, ["apply", "--cached", "-"], runGit(project, ["diff", "--", largeFile])),
  );
  runGit(project, ["reset", "-q", "--", largeFile]);
  const { hash, hunks = [] } = ownDiff.value;
  const changed = hunks.flatMap((hunk) => hunk.lines);
  const chosen = {
    old: changed.flatMap(({ kind, oldLine = 0 }) => (kind === "remove" ? [oldLine] : [])),
    new: changed.flatMap(({ kind, newLine = 0 }) => (kind === "add" ? [newLine] : [])),
  };
  const ownStage = await timed(() => product.call("source.change_lines", { ...target, hash, lines: chosen }));
  const gitLog = await timed(() => runGit(project, ["log", `--max-count=${pageCommits}`]));
  const ownLog = await timed(async () => layoutGraph((await product.call("source.log", { projectId })).commits));
  if (ownLog.value.length !== pageCommits) throw new Error("the page is not full");
  const isStaged = runGit(project, ["show", `:${largeFile}`]).equals(readFileSync(join(project, largeFile)));
  if (!isStaged) throw new Error("the hunk was not staged");
  runGit(project, ["reset", "-q", "--", largeFile]);
  return {
    status: { own: ownStatus.ms, git: gitStatus.ms },
    diff: { own: ownDiff.ms, git: gitDiff.ms },
    stage: { own: ownStage.ms, git: gitStage.ms },
    log: { own: ownLog.ms, git: gitLog.ms },
  };
}

function row(name: Figure, label: string, yardstick: string, samples: Samples): BenchRow {
  const { own, git } = samples[name];
  const ratio = median(own.map((each, index) => each / (git[index] ?? Number.NaN)));
  return {
    id: `source-${name}`,
    what: `source control: ${label}`,
    measured: `${formatMs(median(own))}, ${formatRatio(ratio)}`,
    yardstick: `${yardstick} ${formatMs(median(git))}`,
    budget: `≤ ${budgets[name]} ×`,
    met: ratio <= budgets[name],
    figures: { medianMs: median(own), gitMedianMs: median(git), ratio, rounds: own.length },
  };
}
