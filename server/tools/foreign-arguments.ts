/**
 * Handles arguments of other agents' tools that change the effect of a call. Each is honoured where the built-in tool
 * supports it, otherwise refused with advice; none is dropped silently. Expects arguments under their declared names.
 * Pure.
 */
import type { Json } from "@/lib/content";
import { limits } from "@/lib/settings";
import type { Arguments } from "./arguments";
import { inFolder } from "./shell-text";

/** The changed arguments, a refusal for the model, or null if the argument matches the tool's behaviour anyway. */
type Outcome = Arguments | string | null;
type Take = (value: Json, values: Arguments) => Outcome;

const isTrue = (value: Json): boolean => /^(?:true|yes|1)$/i.test(String(value).trim());
const isFalse = (value: Json): boolean => /^(?:false|no|0)$/i.test(String(value).trim());

/** Returns whether the value is empty or switches an option off. */
const isUnset = (value: Json): boolean =>
  value === null ||
  isFalse(value) ||
  /^\s*(?:null|none|undefined)?\s*$/i.test(String(value)) ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** Refuses the argument if it is set. */
const refused =
  (reason: string): Take =>
  (value) =>
    isUnset(value) ? null : reason;

const noDryRun = refused("It has no dry run: every change is shown to the user by itself. Leave the argument out.");

const wholeModes = /^(?:w[bt+]*|write|overwrite|create|new|rewrite|replace|whole|truncate)$/i;
const appendModes = /^(?:a[bt+]*|append|add)$/i;

/** Handles the write mode under any of its names. */
const writeMode: Take = (value, values) => {
  if (isUnset(value) || (typeof value === "string" && wholeModes.test(value.trim()))) return null;
  if (typeof value === "string" && appendModes.test(value.trim())) return { ...values, append: true };
  return "It writes a whole file, or appends with append:true. Use edit to change a part, bash to change permissions.";
};

const writePart = refused(
  "It writes whole files. To change or insert a part, use edit with the lines that stand there.",
);

const writeRules: Readonly<Record<string, Take>> = {
  mode: writeMode,
  command: writeMode,
  operation: writeMode,
  action: writeMode,
  write_mode: writeMode,
  append_mode: (value, values) => (isUnset(value) ? null : { ...values, append: true }),
  is_append: (value, values) => (isUnset(value) ? null : { ...values, append: true }),
  prepend: writePart,
  overwrite: (value, values) =>
    isFalse(value) && values.append !== true
      ? "It replaces a file that exists. Look with ls first, then call it without overwrite."
      : null,
  insert_line: writePart,
  start_line: writePart,
  end_line: writePart,
  line: writePart,
  line_number: writePart,
  position: writePart,
  offset: writePart,
  encoding: (value) =>
    isUnset(value) || /^(?:utf-?8|text)$/i.test(String(value))
      ? null
      : "It keeps the encoding that a file has, and writes new files in UTF-8. Use bash with iconv for another one.",
  dry_run: noDryRun,
};

/** Ignored: the edit tool itself refuses a text that occurs several times or not at all. */
const counted: Take = () => null;

const editRules: Readonly<Record<string, Take>> = {
  count: counted,
  expected_replacements: counted,
  expected_occurrences: counted,
  max_replacements: counted,
  occurrence: counted,
  start_line: counted,
  end_line: counted,
  line_number: counted,
  ignore_case: counted,
  case_sensitive: counted,
  create_if_missing: counted,
  regex: refused("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
  use_regex: refused("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
  is_regex: refused("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
  dry_run: noDryRun,
};

const deleteRules: Readonly<Record<string, Take>> = {
  force: () => null,
  permanent: () => null,
  permanently: () => null,
  dry_run: noDryRun,
};

const background = refused(
  "It ends a command's background processes with the command. Ask the user to start what must keep running in a terminal.",
);

const folder: Take = (value, values) => {
  if (isUnset(value)) return null;
  const { command } = values;
  return typeof value === "string" && typeof command === "string"
    ? { ...values, command: inFolder(command, value) }
    : "The folder to run in must be text. Begin the command with cd instead.";
};

const bashRules: Readonly<Record<string, Take>> = {
  cwd: folder,
  workdir: folder,
  work_dir: folder,
  working_dir: folder,
  working_directory: folder,
  directory: folder,
  dir: folder,
  background,
  is_background: background,
  run_in_background: background,
  detach: background,
  detached: background,
  async: background,
  shell: (value) =>
    isUnset(value) || isTrue(value) || /^(?:\S*\/)?(?:ba)?sh$/.test(String(value)) ? null : "It runs bash only.",
  blocking: (value) => (isFalse(value) ? background(true, {}) : null),
  wait: (value) => (isFalse(value) ? background(true, {}) : null),
  env: refused("It takes no environment. Put the variables before the command, as in NAME=value command."),
  environment: refused("It takes no environment. Put the variables before the command, as in NAME=value command."),
  stdin: refused("Its commands have no input. Give it with a here-document in the command."),
  is_input: refused("Its commands have no input. Give it with a here-document in the command."),
  restart: refused("It starts every command in a clean shell; there is nothing to restart. Leave the argument out."),
};

const literalIf =
  (test: (value: Json) => boolean): Take =>
  (value, values) =>
    test(value) && values.literal === undefined ? { ...values, literal: true } : null;

const around: Take = (value, values) => {
  const lines = Number(value);
  const context = typeof values.context === "number" ? values.context : 0;
  return Number.isInteger(lines) && lines > context ? { ...values, context: lines } : null;
};

const noType = refused("It has no argument for file types. Say it with glob, as in *.ts.");
const noWholeWord = refused("It has no option for whole words. Put \\b around the word in the pattern.");
const noInversion = refused("It shows matching lines only. Use bash with grep -v.");
const noMultiline = refused("It matches line by line. Search for one of the lines and read around it.");
const noExclusion = refused("It has no argument for what to leave out. Narrow path or pattern instead.");

const grepRules: Readonly<Record<string, Take>> = {
  case_sensitive: (value, values) =>
    isFalse(value) && values.ignore_case === undefined ? { ...values, ignore_case: true } : null,
  regex: literalIf(isFalse),
  is_regex: literalIf(isFalse),
  is_regexp: literalIf(isFalse),
  use_regex: literalIf(isFalse),
  a: around,
  b: around,
  after_context: around,
  before_context: around,
  after: around,
  before: around,
  type: noType,
  file_type: noType,
  multiline: noMultiline,
  multi_line: noMultiline,
  v: noInversion,
  invert: noInversion,
  invert_match: noInversion,
  w: noWholeWord,
  whole_word: noWholeWord,
  whole_words: noWholeWord,
  word_regexp: noWholeWord,
  exclude: noExclusion,
  exclude_pattern: noExclusion,
  excludes: noExclusion,
};

const findRules: Readonly<Record<string, Take>> = {
  type: (value) =>
    isUnset(value) || /^(?:f|files?)$/i.test(String(value))
      ? null
      : "It finds files only. Use ls with depth for folders.",
  exclude: noExclusion,
  exclude_pattern: noExclusion,
  extension: refused("It has no argument for extensions. Say it in the pattern, as in **/*.ts."),
  extensions: refused("It has no argument for extensions. Say it in the pattern, as in **/*.ts."),
  contains: refused("It looks at names. Use grep to look into files."),
  content: refused("It looks at names. Use grep to look into files."),
};

const lsRules: Readonly<Record<string, Take>> = {
  recursive: (value, values) =>
    isTrue(value) && values.depth === undefined ? { ...values, depth: limits.lsDepth } : null,
  r: (value, values) => (isTrue(value) && values.depth === undefined ? { ...values, depth: limits.lsDepth } : null),
};

const readRules: Readonly<Record<string, Take>> = {
  head: (value, values) => {
    const lines = Number(value);
    return Number.isInteger(lines) && lines > 0 && values.limit === undefined ? { ...values, limit: lines } : null;
  },
  tail: refused(
    "It counts lines from the start of a file. Read it with offset; the answer says how many lines there are.",
  ),
};

const rulesByTool: Readonly<Record<string, Readonly<Record<string, Take>>>> = {
  read: readRules,
  ls: lsRules,
  find: findRules,
  grep: grepRules,
  edit: editRules,
  write: writeRules,
  delete: deleteRules,
  bash: bashRules,
};

/** Remarks of models and internal fields of other agents' programs; they have no effect on any tool. */
const remarks = new Set(
  "explanation description reason reasoning thought thoughts thinking rationale purpose intent summary title comment note notes toolsummary tool_summary toolaction tool_action task_progress security_risk risk requires_approval safe_to_auto_run sideeffects language lang file_type mime_type instruction instructions id call_id type name tool create_dirs create_directories create_parents make_dirs mkdir parents create_if_not_exists overwrite_existing one_sentence_explanation wait_ms_before_async timeout_behavior encoding".split(
    " ",
  ),
);

const changing: ReadonlySet<string> = new Set(["edit", "write", "delete", "bash"]);

/**
 * Applies the arguments that `tool` does not declare to `values`, or returns a refusal for the model. Tools that
 * change something refuse an unknown argument; for tools that only read it is harmless.
 */
export function settleForeign(
  tool: string,
  rest: Arguments,
  values: Arguments,
): { readonly values: Arguments } | { readonly refusal: string } {
  let settled = values;
  const taken = new Map<Take, Json>();
  for (const [name, value] of Object.entries(rest)) {
    const own = rulesByTool[tool] ?? {};
    const take = Object.hasOwn(own, name) ? own[name] : undefined;
    // The same argument under an alias.
    if (take !== undefined && taken.has(take) && taken.get(take) === value) continue;
    const isSecondFolder = take === folder && taken.has(folder);
    if (take !== undefined) taken.set(take, value);
    const isUnknown = take === undefined && changing.has(tool) && !remarks.has(name) && !isUnset(value);
    const outcome = isSecondFolder
      ? "It was given two folders. Give one."
      : isUnknown
        ? "The tool does not know it. Leave it out."
        : (take?.(value, settled) ?? null);
    if (typeof outcome === "string")
      return { refusal: `${tool} did nothing: it has no argument "${name.slice(0, 40)}". ${outcome}` };
    settled = outcome ?? settled;
  }
  return { values: settled };
}
