/**
 * Handles arguments of other agents' tools that change the effect of a call. Each is honoured where the built-in tool
 * supports it, otherwise refused with advice; none is dropped silently. Expects arguments under their declared names.
 * Pure.
 */
import type { Json } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ToolArguments } from "./parameter-shapes";
import { runInSubfolder } from "@/lib/tools/quote-shell-word";

/** The changed arguments, a refusal for the model, or null if the argument matches the tool's behaviour anyway. */
type ArgumentOutcome = ToolArguments | string | null;
type ArgumentRule = (value: Json, values: ToolArguments) => ArgumentOutcome;

const isTrueWord = (value: Json): boolean => /^(?:true|yes|1)$/i.test(String(value).trim());
const isFalseWord = (value: Json): boolean => /^(?:false|no|0)$/i.test(String(value).trim());

/** Returns whether the value is empty or switches an option off. */
const isUnsetValue = (value: Json): boolean =>
  value === null ||
  isFalseWord(value) ||
  /^\s*(?:null|none|undefined)?\s*$/i.test(String(value)) ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** Refuses the argument if it is set. */
const refuseIfSet =
  (reason: string): ArgumentRule =>
  (value) =>
    isUnsetValue(value) ? null : reason;

const refuseDryRun = refuseIfSet(
  "It has no dry run: every change is shown to the user by itself. Leave the argument out.",
);

const wholeModes = /^(?:w[bt+]*|write|overwrite|create|new|rewrite|replace|whole|truncate)$/i;
const appendModes = /^(?:a[bt+]*|append|add)$/i;

/** Handles the write mode under any of its names. */
const applyWriteMode: ArgumentRule = (value, values) => {
  if (isUnsetValue(value) || (typeof value === "string" && wholeModes.test(value.trim()))) return null;
  if (typeof value === "string" && appendModes.test(value.trim())) return { ...values, append: true };
  return "It writes a whole file, or appends with append:true. Use edit to change a part, bash to change permissions.";
};

const refusePartialWrite = refuseIfSet(
  "It writes whole files. To change or insert a part, use edit with the lines that stand there.",
);

const writeRules: Readonly<Record<string, ArgumentRule>> = {
  mode: applyWriteMode,
  command: applyWriteMode,
  operation: applyWriteMode,
  action: applyWriteMode,
  write_mode: applyWriteMode,
  append_mode: (value, values) => (isUnsetValue(value) ? null : { ...values, append: true }),
  is_append: (value, values) => (isUnsetValue(value) ? null : { ...values, append: true }),
  prepend: refusePartialWrite,
  overwrite: (value, values) =>
    isFalseWord(value) && values.append !== true
      ? "It replaces a file that exists. Look with ls first, then call it without overwrite."
      : null,
  insert_line: refusePartialWrite,
  start_line: refusePartialWrite,
  end_line: refusePartialWrite,
  line: refusePartialWrite,
  line_number: refusePartialWrite,
  position: refusePartialWrite,
  offset: refusePartialWrite,
  encoding: (value) =>
    isUnsetValue(value) || /^(?:utf-?8|text)$/i.test(String(value))
      ? null
      : "It keeps the encoding that a file has, and writes new files in UTF-8. Use bash with iconv for another one.",
  dry_run: refuseDryRun,
};

/** Ignored: the edit tool itself refuses a text that occurs several times or not at all. */
const ignoreArgument: ArgumentRule = () => null;

const editRules: Readonly<Record<string, ArgumentRule>> = {
  count: ignoreArgument,
  expected_replacements: ignoreArgument,
  expected_occurrences: ignoreArgument,
  max_replacements: ignoreArgument,
  occurrence: ignoreArgument,
  start_line: ignoreArgument,
  end_line: ignoreArgument,
  line_number: ignoreArgument,
  ignore_case: ignoreArgument,
  case_sensitive: ignoreArgument,
  create_if_missing: ignoreArgument,
  regex: refuseIfSet("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
  use_regex: refuseIfSet("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
  is_regex: refuseIfSet("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
  dry_run: refuseDryRun,
};

const deleteRules: Readonly<Record<string, ArgumentRule>> = {
  force: () => null,
  permanent: () => null,
  permanently: () => null,
  dry_run: refuseDryRun,
};

const refuseBackground = refuseIfSet(
  "It ends a command's background processes with the command. Ask the user to start what must keep running in a terminal.",
);

const runInFolder: ArgumentRule = (value, values) => {
  if (isUnsetValue(value)) return null;
  const { command } = values;
  return typeof value === "string" && typeof command === "string"
    ? { ...values, command: runInSubfolder(command, value) }
    : "The folder to run in must be text. Begin the command with cd instead.";
};

const bashRules: Readonly<Record<string, ArgumentRule>> = {
  cwd: runInFolder,
  workdir: runInFolder,
  work_dir: runInFolder,
  working_dir: runInFolder,
  working_directory: runInFolder,
  directory: runInFolder,
  dir: runInFolder,
  background: refuseBackground,
  is_background: refuseBackground,
  run_in_background: refuseBackground,
  detach: refuseBackground,
  detached: refuseBackground,
  async: refuseBackground,
  shell: (value) =>
    isUnsetValue(value) || isTrueWord(value) || /^(?:\S*\/)?(?:ba)?sh$/.test(String(value))
      ? null
      : "It runs bash only.",
  blocking: (value) => (isFalseWord(value) ? refuseBackground(true, {}) : null),
  wait: (value) => (isFalseWord(value) ? refuseBackground(true, {}) : null),
  env: refuseIfSet("It takes no environment. Put the variables before the command, as in NAME=value command."),
  environment: refuseIfSet("It takes no environment. Put the variables before the command, as in NAME=value command."),
  stdin: refuseIfSet("Its commands have no input. Give it with a here-document in the command."),
  is_input: refuseIfSet("Its commands have no input. Give it with a here-document in the command."),
  restart: refuseIfSet(
    "It starts every command in a clean shell; there is nothing to restart. Leave the argument out.",
  ),
};

const setLiteralIf =
  (test: (value: Json) => boolean): ArgumentRule =>
  (value, values) =>
    test(value) && values.literal === undefined ? { ...values, literal: true } : null;

const addContextLines: ArgumentRule = (value, values) => {
  const lines = Number(value);
  const context = typeof values.context === "number" ? values.context : 0;
  return Number.isInteger(lines) && lines > context ? { ...values, context: lines } : null;
};

const refuseFileType = refuseIfSet("It has no argument for file types. Say it with glob, as in *.ts.");
const refuseWholeWord = refuseIfSet("It has no option for whole words. Put \\b around the word in the pattern.");
const refuseInversion = refuseIfSet("It shows matching lines only. Use bash with grep -v.");
const refuseMultiline = refuseIfSet("It matches line by line. Search for one of the lines and read around it.");
const refuseExclusion = refuseIfSet("It has no argument for what to leave out. Narrow path or pattern instead.");

const grepRules: Readonly<Record<string, ArgumentRule>> = {
  case_sensitive: (value, values) =>
    isFalseWord(value) && values.ignore_case === undefined ? { ...values, ignore_case: true } : null,
  regex: setLiteralIf(isFalseWord),
  is_regex: setLiteralIf(isFalseWord),
  is_regexp: setLiteralIf(isFalseWord),
  use_regex: setLiteralIf(isFalseWord),
  a: addContextLines,
  b: addContextLines,
  after_context: addContextLines,
  before_context: addContextLines,
  after: addContextLines,
  before: addContextLines,
  type: refuseFileType,
  file_type: refuseFileType,
  multiline: refuseMultiline,
  multi_line: refuseMultiline,
  v: refuseInversion,
  invert: refuseInversion,
  invert_match: refuseInversion,
  w: refuseWholeWord,
  whole_word: refuseWholeWord,
  whole_words: refuseWholeWord,
  word_regexp: refuseWholeWord,
  exclude: refuseExclusion,
  exclude_pattern: refuseExclusion,
  excludes: refuseExclusion,
};

const findRules: Readonly<Record<string, ArgumentRule>> = {
  type: (value) =>
    isUnsetValue(value) || /^(?:f|files?)$/i.test(String(value))
      ? null
      : "It finds files only. Use ls with depth for folders.",
  exclude: refuseExclusion,
  exclude_pattern: refuseExclusion,
  extension: refuseIfSet("It has no argument for extensions. Say it in the pattern, as in **/*.ts."),
  extensions: refuseIfSet("It has no argument for extensions. Say it in the pattern, as in **/*.ts."),
  contains: refuseIfSet("It looks at names. Use grep to look into files."),
  content: refuseIfSet("It looks at names. Use grep to look into files."),
};

const lsRules: Readonly<Record<string, ArgumentRule>> = {
  recursive: (value, values) =>
    isTrueWord(value) && values.depth === undefined ? { ...values, depth: serverLimits.lsDepth } : null,
  r: (value, values) =>
    isTrueWord(value) && values.depth === undefined ? { ...values, depth: serverLimits.lsDepth } : null,
};

const readRules: Readonly<Record<string, ArgumentRule>> = {
  head: (value, values) => {
    const lines = Number(value);
    return Number.isInteger(lines) && lines > 0 && values.limit === undefined ? { ...values, limit: lines } : null;
  },
  tail: refuseIfSet(
    "It counts lines from the start of a file. Read it with offset; the answer says how many lines there are.",
  ),
};

const rulesByTool: Readonly<Record<string, Readonly<Record<string, ArgumentRule>>>> = {
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
const remarkNames = new Set(
  "explanation description reason reasoning thought thoughts thinking rationale purpose intent summary title comment note notes toolsummary tool_summary toolaction tool_action task_progress security_risk risk requires_approval safe_to_auto_run sideeffects language lang file_type mime_type instruction instructions id call_id type name tool create_dirs create_directories create_parents make_dirs mkdir parents create_if_not_exists overwrite_existing one_sentence_explanation wait_ms_before_async timeout_behavior encoding".split(
    " ",
  ),
);

const changingTools: ReadonlySet<string> = new Set(["edit", "write", "delete", "bash"]);

/**
 * Applies the arguments that `tool` does not declare to `values`, or returns a refusal for the model. Tools that
 * change something refuse an unknown argument; for tools that only read it is harmless.
 */
export function applyForeignArguments(
  tool: string,
  rest: ToolArguments,
  values: ToolArguments,
): { readonly values: ToolArguments } | { readonly refusal: string } {
  let settled = values;
  const valueByRule = new Map<ArgumentRule, Json>();
  for (const [name, value] of Object.entries(rest)) {
    const own = rulesByTool[tool] ?? {};
    const take = Object.hasOwn(own, name) ? own[name] : undefined;
    // The same argument under an alias.
    if (take !== undefined && valueByRule.has(take) && valueByRule.get(take) === value) continue;
    const isSecondFolder = take === runInFolder && valueByRule.has(runInFolder);
    if (take !== undefined) valueByRule.set(take, value);
    const isUnknown = take === undefined && changingTools.has(tool) && !remarkNames.has(name) && !isUnsetValue(value);
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
