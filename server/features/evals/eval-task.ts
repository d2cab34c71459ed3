/** Task files of evals: `NAME.yaml` beside the folder `NAME` with the files at the start. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { thrownText } from "@/lib/events/error";
import type { EvalTaskInfo, EvalTaskProblem } from "@/lib/evals/evals";
import { limits } from "@/lib/settings/settings";
import { parseYaml } from "@/server/base/parse-yaml";

/** A task with its folder and its check. */
export interface EvalTask extends EvalTaskInfo {
  /** Folder with the files at the start; null = the task starts with an empty folder. */
  readonly folder: string | null;
  readonly check: EvalCheck;
  readonly limitMs: number;
}

/** Expectations about the folder and the answer after the run; all must hold. */
export type EvalCheck = z.infer<ReturnType<typeof makeTaskSchema>>["check"];

/** Limit of a task, minutes. */
const limitMinutes = { default: 10, max: 120 };
const maxTextChars = 20_000;
/** Names that are valid in a URL and on every file system. */
const taskId = /^[a-z0-9][a-z0-9-]{0,63}$/;

const text = () => z.string().check(z.minLength(1), z.maxLength(maxTextChars));
/** A path below the task's folder. */
const path = () =>
  text().check(
    z.refine((name) => !/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(name) && normalize(name) !== "."),
  );
let cachedSchema: ReturnType<typeof makeTaskSchema> | undefined;
const taskSchema = () => (cachedSchema ??= makeTaskSchema());

function makeTaskSchema() {
  const file = z.strictObject({
    /** Texts it has. */
    contains: z.optional(z.array(text())),
    /** Texts it does not have. */
    lacks: z.optional(z.array(text())),
    /** It equals its content at the start with these replacements, each at the first match. */
    replaced: z.optional(z.array(z.tuple([text(), z.string()]))),
    /** It does not exist. */
    missing: z.optional(z.literal(true)),
  });
  const check = z.strictObject({
    /** Files that get their content of the start before the check. */
    restore: z.optional(z.array(path())),
    /** Commands that must exit with 0, split at spaces; `node` is the node of this program. */
    run: z.optional(z.array(text())),
    /** A JavaScript module that must not throw; it runs in the folder. */
    script: z.optional(text()),
    files: z.optional(z.record(path(), file)),
    /** Texts that the answer contains, regardless of case. */
    answer: z.optional(z.array(text())),
  });
  return z.strictObject({
    title: text(),
    titles: z.optional(z.record(z.string(), text())),
    prompt: text(),
    minutes: z.optional(z.int().check(z.gte(1), z.lte(limitMinutes.max))),
    check: check.check(z.refine((wanted) => Object.keys(wanted).some((key) => key !== "restore"))),
  });
}

interface EvalTasks {
  readonly tasks: readonly EvalTask[];
  readonly problems: readonly EvalTaskProblem[];
}

/** Folder of the tasks that come with the program: beside the bundle, or at the root of a checkout. */
export function builtInEvalsFolder(): string {
  const candidates = ["./evals", "../../../evals"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
  const folder = candidates.find((candidate) => existsSync(candidate));
  if (folder === undefined) throw new Error("the folder evals is missing from this installation");
  return folder;
}

/** Reads the task files of a folder, by name; a missing folder has none. A file with an error is a problem. */
export function readEvalTasks(folder: string, source: EvalTaskInfo["source"]): EvalTasks {
  const tasks: EvalTask[] = [];
  const problems: EvalTaskProblem[] = [];
  const read = (file: string, readTask: () => void): void => {
    try {
      readTask();
    } catch (error) {
      // No rights, a link to nothing, or YAML that expands without end.
      problems.push({ file, ...refuse(`cannot be read: ${thrownText(error)}`) });
    }
  };
  let names: readonly string[] = [];
  read(folder, () => {
    if (existsSync(folder)) names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  });
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    read(file, () => {
      const task = readEvalTask(file, source);
      if ("detail" in task) problems.push({ file, ...task });
      else if (tasks.some(({ id }) => id === task.id)) problems.push({ file, ...refuse(`${task.id} exists twice`) });
      else tasks.push(task);
    });
  }
  return { tasks, problems };
}

const refuse = (detail: string, field = "") => ({ field, detail });

/** Throws errors of the system and of the YAML parser. */
function readEvalTask(file: string, source: EvalTaskInfo["source"]): EvalTask | Omit<EvalTaskProblem, "file"> {
  const id = basename(file).replace(/\.ya?ml$/, "");
  if (!taskId.test(id)) return refuse("a file name has small letters, digits and hyphens only, at most 64");
  const stats = statSync(file);
  if (!stats.isFile()) return refuse("is not a file");
  if (stats.size > limits.configMaxChars) return refuse("the file is too large");
  const yaml = parseYaml(readFileSync(file, "utf8"));
  const [error] = yaml.faults;
  if (error !== undefined) return refuse(`${error.message} in line ${error.line}`);
  const parsed = taskSchema().safeParse(yaml.value);
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success || issue !== undefined)
    return refuse(issue === undefined ? "is not valid" : issueText(issue), issue?.path.join("."));
  const { title, titles = {}, prompt, minutes = limitMinutes.default, check } = parsed.data;
  const folder = file.replace(/\.ya?ml$/, "");
  const hasFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const needed = [...(check.restore ?? []), ...replacedFiles(check)];
  const missing = needed.find(
    (name) => !hasFolder || !(statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false),
  );
  if (missing !== undefined) return refuse(`the file ${missing} is missing from the folder ${id}`, "check");
  return { id, title, titles, prompt, source, folder: hasFolder ? folder : null, check, limitMs: minutes * 60_000 };
}

const replacedFiles = ({ files = {} }: EvalCheck): readonly string[] =>
  Object.entries(files).flatMap(([name, { replaced }]) => (replaced === undefined ? [] : [name]));

/** One sentence about an invalid value. */
function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be a ${issue.expected}`;
    case "unrecognized_keys":
      return `has the unknown field ${issue.keys.join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "is empty" : `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string"
        ? `is longer than ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case "custom":
      return issue.path.length === 1
        ? "needs at least one of run, script, files and answer"
        : "must be a path inside the task's folder";
    case "invalid_key":
      return "must have paths inside the task's folder as keys";
    default:
      return "is not valid";
  }
}
