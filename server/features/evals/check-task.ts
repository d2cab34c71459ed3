/** Checks a folder and an answer against what a task expects. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvalFailure } from "@/lib/evals/evals";
import { randomSecret } from "@/server/base/id";
import { runProcess } from "@/server/base/run-process";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { temporaryPrefix } from "@/server/workspace/shell/cleanup-journal";
import type { Sandbox } from "@/server/workspace/shell/sandbox";
import { markerVariable } from "@/server/workspace/shell/shell-state";
import type { FeatureHost } from "../feature";
import type { EvalTask } from "./eval-task";
import { isFileThere, readFileText, restoreFile } from "./task-files";

/** Limit of one program of a check, ms. */
const checkMs = 60_000;
const maxOutputBytes = 1_048_576;
const maxDetailChars = 1_500;

interface CheckedFolder {
  readonly root: string;
  /** The model's last message. */
  readonly answer: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly leftovers: FeatureHost["leftovers"];
  /** The programs run code that the model wrote. */
  readonly sandbox: Pick<Sandbox, "fence">;
}

type Checked = Pick<EvalTask, "check" | "folder">;

/** Returns the first expectation that does not hold; null = all hold. Rejects with the signal's reason only. */
export async function checkTask(
  task: Checked,
  folder: CheckedFolder,
  signal: AbortSignal,
): Promise<EvalFailure | null> {
  const { check } = task;
  const answer = folder.answer.toLowerCase();
  const unanswered = (check.answer ?? []).find((text) => !answer.includes(text.toLowerCase()));
  if (unanswered !== undefined) return { why: "answer", detail: unanswered };
  try {
    return await checkFolder(task, folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    // The model may have taken the rights to its folder away.
    if (error instanceof Error && "code" in error) return { why: "check", detail: error.message };
    throw error;
  }
}

/** Throws an error of the system for a folder that cannot be read or written. */
async function checkFolder(
  task: Checked,
  { root, environment, leftovers, sandbox }: CheckedFolder,
  signal: AbortSignal,
): Promise<EvalFailure | null> {
  const { check, folder } = task;
  for (const name of check.restore ?? []) await restoreFile(folder ?? "", root, name);
  const wrong = await findWrongFile(task, root);
  if (wrong !== null) return { why: "files", detail: wrong };
  const script = `eval-check-${randomSecret()}.mjs`;
  const commands = [
    ...(check.run ?? []).map((command) => command.split(/ +/)),
    ...(check.script === undefined ? [] : [["node", script]]),
  ];
  try {
    if (check.script !== undefined) await writeFile(join(root, script), check.script, { flag: "wx" });
    for (const words of commands) {
      const failed = await runCommand(words, { root, environment, leftovers, sandbox }, signal);
      if (failed !== null) return { why: "check", detail: failed.replaceAll(script, "check.mjs") };
    }
    return null;
  } finally {
    await rm(join(root, script), { force: true });
  }
}

/** The name of a file that is not as expected; null = none. */
async function findWrongFile({ check, folder }: Checked, root: string): Promise<string | null> {
  for (const [name, expected] of Object.entries(check.files ?? {})) {
    if (expected.missing === true) {
      if (await isFileThere(root, name)) return name;
      continue;
    }
    const text = await readFileText(root, name);
    const { contains = [], lacks = [], replaced } = expected;
    if (text === null || contains.some((part) => !text.includes(part)) || lacks.some((part) => text.includes(part)))
      return name;
    if (replaced === undefined) continue;
    const before = (await readFileText(folder ?? "", name)) ?? "";
    if (text !== replaced.reduce((all, [from, to]) => all.replace(from, () => to), before)) return name;
  }
  return null;
}

/** Returns the start of its output if it failed; null = it exited with 0. */
async function runCommand(
  words: readonly string[],
  { root, environment, leftovers, sandbox }: Omit<CheckedFolder, "answer">,
  signal: AbortSignal,
): Promise<string | null> {
  const own = words.map((word, index) => (index === 0 && word === "node" ? process.execPath : word));
  const pipes = await mkdtemp(join(tmpdir(), `${temporaryPrefix}eval-check-`));
  const marker = randomSecret();
  const forget = leftovers.record({ marker: `${markerVariable}=${marker}`, folder: pipes });
  const output: Buffer[] = [];
  try {
    const wrap = await sandbox.fence();
    const [program = "", ...rest] = wrap === null ? own : wrap(own, { root, cwd: root, pipes });
    const ended = await runProcess(
      {
        program,
        arguments: rest,
        cwd: root,
        environment: { ...shellEnvironment(environment, []), [markerVariable]: marker },
        timeoutMs: checkMs,
        maxBytes: maxOutputBytes,
        onOutput(chunk) {
          output.push(chunk);
          return "more";
        },
      },
      signal,
    );
    signal.throwIfAborted();
    if (!ended.ok) return `${words.join(" ")}: not found`;
    const { exit, ended: reason, errorOutput } = ended.value;
    if (exit === 0 && reason === null) return null;
    const text = [Buffer.concat(output).toString("utf8"), errorOutput].join("\n").trim();
    const shown = text.length > maxDetailChars ? `${text.slice(0, maxDetailChars)}…` : text;
    return reason === "timeout" ? `${words.join(" ")}: not finished after ${checkMs / 1000} s\n${shown}` : shown;
  } finally {
    await rm(pipes, { recursive: true, force: true });
    forget();
  }
}
