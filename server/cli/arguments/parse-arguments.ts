/** Parses the command line. Loads nothing else. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { limits } from "@/lib/settings/settings";
import { isWorkflowName } from "@/lib/workflows/workflow";
import { helpText } from "./help";
import { type ListenArguments, parseListenArguments, serviceParameters } from "./listen-arguments";
import { findNearestWord } from "@/lib/text/name-similarity";
import { type Environment, type ParsedOptions, printable, readOptions, UsageError, type Verb, verbs } from "./options";
import { checkPrompt } from "./prompt";
import { resolveFile, resolveFolder, resolveHome, statPath } from "./resolve-path";
import {
  parseConfigArguments,
  parseExportArguments,
  parseImportArguments,
  parseGetArguments,
  parseInitArguments,
  parseStatusArguments,
  type ServiceArguments,
  type VerbArguments,
} from "./verb-arguments";
import { readVersion } from "../version";

export interface ServeArguments extends ListenArguments {
  readonly kind: "serve";
  /** Absolute, links resolved; a readable folder. null = `serve`: it opens none, and waits for the end of another server. */
  readonly folder: string | null;
  /** Files that the page pins to a new session, relative to `folder`, separated by "/". */
  readonly files: readonly string[];
  readonly model: string | null;
  /** Absolute; may not exist yet. */
  readonly home: string;
  readonly open: boolean;
  readonly json: boolean;
  /** Shows the tour, in a folder and a home of its own instead of those named here. */
  readonly demo: boolean;
  /** Started by `run`: no browser, any free port, exits when idle. */
  readonly background: boolean;
}

const approveModes = ["ask", "edits", "all", "none"] as const;
export type ApproveMode = (typeof approveModes)[number];

export interface RunArguments {
  readonly kind: "run";
  /** null = standard input, or with `stdin` none. */
  readonly prompt: string | null;
  /** Absolute, links resolved; a readable folder. */
  readonly cwd: string;
  readonly json: boolean;
  /** Standard input has the requests of a script. */
  readonly stdin: boolean;
  readonly approve: ApproveMode;
  /** Name of an automation that is run instead of a prompt; null = none. */
  readonly automation: string | null;
  readonly model: string | null;
  readonly session: string | null;
  readonly continue: boolean;
  /** Runs this instead of a prompt; null = a prompt. */
  readonly workflow: { readonly name: string; readonly inputs: { readonly [name: string]: string } } | null;
  /** Absolute paths of existing files to pin to the session. */
  readonly files: readonly string[];
  /** Absolute; may not exist yet. */
  readonly home: string;
}

/** Without a terminal it is a `run`. */
export interface ChatArguments extends Omit<RunArguments, "kind"> {
  readonly kind: "chat";
}

export interface DoctorArguments {
  readonly kind: "doctor";
  /** null = the model of new sessions */
  readonly model: string | null;
  readonly json: boolean;
  /** Absolute; folder for a server that has to be started. */
  readonly cwd: string;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

export interface EvalArguments {
  readonly kind: "eval";
  /** Empty = the model of new sessions. */
  readonly models: readonly string[];
  /** null = all tasks */
  readonly tasks: readonly string[] | null;
  readonly json: boolean;
  /** Absolute; folder for a server that has to be started. */
  readonly cwd: string;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

export type CommandArguments =
  | ServeArguments
  | RunArguments
  | ChatArguments
  | DoctorArguments
  | EvalArguments
  | VerbArguments
  | { readonly kind: "print"; readonly text: string; readonly code: 0 }
  /** `text` is one line for stderr. */
  | { readonly kind: "usage"; readonly text: string; readonly code: 2 };

/** Relative folders are resolved against `cwd`. Reads the disk only to check the named folders. */
export function parseArguments(argv: readonly string[], environment: Environment, cwd: string): CommandArguments {
  try {
    const options = readOptions(argv);
    if (options.flag("help")) return { kind: "print", text: `${helpText}\n`, code: 0 };
    if (options.flag("version")) return { kind: "print", text: `${readVersion()}\n`, code: 0 };
    return commandParsers[options.verb](options, environment, cwd);
  } catch (error) {
    if (error instanceof UsageError) return { kind: "usage", text: `gopi-web: ${error.message}`, code: 2 };
    throw error;
  }
}

function parseOpenArguments(options: ParsedOptions, environment: Environment, cwd: string): ServeArguments {
  const [folder = ".", ...more] = options.operands;
  const verb = statPath(resolve(cwd, folder)) === undefined ? findNearestWord(folder, verbs) : null;
  if (verb !== null) throw new UsageError(`There is no folder ${printable(folder)}; did you mean "gopi-web ${verb}"?`);
  if (more.length > 0)
    throw new UsageError(
      `Only one folder can be opened at a time, but got ${options.operands.map(printable).join(", ")}`,
    );
  const background = options.flag("background");
  const demo = options.flag("demo");
  const ownOfDemo = ["home", "model", "file"] as const;
  if (demo && (options.operands.length > 0 || ownOfDemo.some((name) => options.text(name) !== null)))
    throw new UsageError(
      "--demo has a project, a home and a model of its own: leave out the folder, --file, --home and --model",
    );
  const listen = parseListenArguments(options, environment, cwd);
  // The working folder of a hub's server is the person's home: no project.
  const opened = listen.hub === undefined || options.operands.length > 0 ? folder : listen.hub.folder;
  return {
    kind: "serve",
    ...(opened === null ? { folder: null, files: [] } : parseOpenedFolder(opened, options.texts("file"), cwd)),
    ...listen,
    model: parseModel(options.text("model")),
    home: resolveHome(options.text("home"), environment, cwd),
    open: !options.flag("no-open") && !background && listen.hub === undefined,
    json: options.flag("json"),
    demo,
    background,
  };
}

function parseOpenedFolder(
  name: string,
  fileNames: readonly string[],
  cwd: string,
): { readonly folder: string; readonly files: readonly string[] } {
  const folder = resolveFolder(name, cwd);
  const files = parseFiles(fileNames, cwd).map((file) => {
    const path = relative(folder, join(resolveFolder(dirname(file), cwd), basename(file)));
    if (path.split(sep)[0] === ".." || isAbsolute(path))
      throw new UsageError(`${printable(file)} isn't in the folder that is opened, ${printable(folder)}`);
    return path.replaceAll(sep, "/");
  });
  return { folder, files };
}

/** `serve`: the server itself, or with an option its service. */
function parseServeArguments(
  options: ParsedOptions,
  environment: Environment,
  cwd: string,
): ServeArguments | ServiceArguments {
  if (options.operands.length > 0) throw new UsageError("gopi-web serve takes no words");
  const [install, uninstall] = [options.flag("install"), options.flag("uninstall")];
  if (install && uninstall) throw new UsageError("--install and --uninstall can't be used together");
  if (options.flag("yes") && !install) throw new UsageError("--yes needs --install");
  const serve: ServeArguments = {
    kind: "serve",
    folder: null,
    files: [],
    ...parseListenArguments(options, environment, cwd),
    model: parseModel(options.text("model")),
    home: resolveHome(options.text("home"), environment, cwd),
    open: false,
    json: options.flag("json"),
    demo: false,
    background: false,
  };
  if (!install && !uninstall) return serve;
  if (serve.json) throw new UsageError("--json can't be used with --install and --uninstall");
  const model = options.text("model");
  return {
    kind: "service",
    action: install ? "install" : "uninstall",
    yes: options.flag("yes"),
    home: serve.home,
    parameters: [
      "--home",
      serve.home,
      ...serviceParameters(options, environment, serve),
      ...(model === null ? [] : ["--model", model]),
    ],
  };
}

function parseRunArguments(options: ParsedOptions, environment: Environment, cwd: string): RunArguments {
  const [prompt = "-", ...more] = options.operands;
  if (more.length > 0) throw new UsageError(`Put the prompt in quotes: gopi-web ${options.verb} "fix the tests"`);
  const session = options.text("session");
  if (session !== null && options.flag("continue"))
    throw new UsageError("--session and --continue can't be used together");
  if (session !== null && !/^[A-Za-z0-9_-]{1,80}$/.test(session))
    throw new UsageError(`--session needs a session ID, but got ${printable(session)}`);
  if (options.flag("stdin") && !options.flag("json"))
    throw new UsageError("--stdin needs --json: a script reads the events of the requests it writes");
  const automation = options.text("automation");
  if (automation !== null && (options.operands.length > 0 || isPromptGiven(options)))
    throw new UsageError("--automation has a prompt, a folder and a model of its own; standard input is its data");
  const workflow = parseWorkflow(options);
  return {
    kind: "run",
    workflow,
    automation,
    prompt: prompt === "-" ? null : checkPrompt(prompt),
    cwd: resolveFolder(options.text("cwd") ?? ".", cwd),
    json: options.flag("json"),
    stdin: options.flag("stdin"),
    approve: parseApproveMode(options.text("approve")),
    model: parseModel(options.text("model")),
    session,
    continue: options.flag("continue"),
    files: parseFiles(options.texts("file"), cwd),
    home: resolveHome(options.text("home"), environment, cwd),
  };
}

/** The workflow has a session of its own, and its inputs instead of a prompt. */
function parseWorkflow(options: ParsedOptions): RunArguments["workflow"] {
  const name = options.text("workflow");
  const inputs = options.texts("input");
  if (name === null && inputs.length > 0)
    throw new UsageError("--input is a value for --workflow: name the workflow too");
  if (name === null) return null;
  const other = (["session", "continue", "stdin", "file"] as const).find(
    (each) => options.flag(each) || options.texts(each).length > 0,
  );
  if (other !== undefined) throw new UsageError(`--workflow runs in a session of its own, without --${other}`);
  if (options.operands.length > 0) throw new UsageError("--workflow takes no prompt: give its values with --input");
  if (!isWorkflowName(name))
    throw new UsageError(`--workflow needs the name of a workflow, but got ${printable(name)}`);
  return { name, inputs: Object.fromEntries(inputs.map(parseInput)) };
}

function parseInput(text: string): readonly [name: string, value: string] {
  const end = text.indexOf("=");
  if (end < 1) throw new UsageError(`--input needs NAME=VALUE, but got ${printable(text)}`);
  return [text.slice(0, end), text.slice(end + 1)];
}

/** An option is set that an automation has itself. */
const isPromptGiven = (options: ParsedOptions): boolean =>
  (["cwd", "approve", "model", "session", "file", "workflow", "input"] as const).some(
    (name) => options.texts(name).length > 0,
  ) ||
  options.flag("continue") ||
  options.flag("stdin");

function parseFiles(names: readonly string[], cwd: string): readonly string[] {
  if (names.length > limits.pinnedFiles)
    throw new UsageError(`A session has at most ${limits.pinnedFiles} pinned files, but got ${names.length}`);
  return names.map((name) => resolveFile(name, cwd));
}

function parseDoctorArguments(options: ParsedOptions, environment: Environment, cwd: string): DoctorArguments {
  const [model = null, ...more] = options.operands;
  if (more.length > 0) throw new UsageError("Only one model can be tested at a time: gopi-web doctor qwen3:8b");
  if (model !== null && (model.trim() === "" || model.length > 200))
    throw new UsageError("gopi-web doctor takes one model name, or none");
  return {
    kind: "doctor",
    model,
    json: options.flag("json"),
    cwd: resolveFolder(".", cwd),
    home: resolveHome(options.text("home"), environment, cwd),
  };
}

function parseEvalArguments(options: ParsedOptions, environment: Environment, cwd: string): EvalArguments {
  const tasks = options.text("task")?.split(",") ?? null;
  const wrong = tasks?.find((task) => !/^[A-Za-z0-9_-]{1,80}$/.test(task));
  if (wrong !== undefined)
    throw new UsageError(`--task needs names of tasks with commas between them, but got ${printable(wrong)}`);
  if (options.operands.some((model) => model.trim() === "" || model.length > 200))
    throw new UsageError("gopi-web eval takes model names, or none");
  return {
    kind: "eval",
    models: options.operands,
    tasks,
    json: options.flag("json"),
    cwd: resolveFolder(".", cwd),
    home: resolveHome(options.text("home"), environment, cwd),
  };
}

const commandParsers: Readonly<
  Record<Verb, (options: ParsedOptions, environment: Environment, cwd: string) => CommandArguments>
> = {
  open: parseOpenArguments,
  serve: parseServeArguments,
  init: parseInitArguments,
  run: parseRunArguments,
  chat: (...from) => ({ ...parseRunArguments(...from), kind: "chat" }),
  doctor: parseDoctorArguments,
  eval: parseEvalArguments,
  status: parseStatusArguments,
  get: parseGetArguments,
  config: parseConfigArguments,
  export: parseExportArguments,
  import: parseImportArguments,
};

function parseModel(text: string | null): string | null {
  if (text === null || (text.trim() !== "" && text.length <= 200)) return text;
  throw new UsageError("--model needs a model name");
}

function parseApproveMode(text: string | null): ApproveMode {
  if (text === null) return "ask";
  const mode = approveModes.find((each) => each === text);
  if (mode === undefined)
    throw new UsageError(`--approve needs one of ${approveModes.join(", ")}, but got ${printable(text)}`);
  return mode;
}
