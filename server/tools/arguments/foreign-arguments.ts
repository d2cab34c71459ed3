/**
 * Handles arguments of other agents' tools that change the effect of a call. Each is honoured where the built-in tool
 * supports it, otherwise refused with advice; none is dropped silently. Expects arguments under their declared names.
 * Pure.
 */
import type { Json } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import { toExactBoolean } from "./exact-values";
import type { ToolArguments } from "./parameter-shapes";
import { runInSubfolder } from "@/lib/tools/quote-shell-word";

/** The changed arguments, a refusal for the model, or null if the argument matches the tool's behaviour anyway. */
type ArgumentOutcome = ToolArguments | string | null;
type ArgumentRule = (value: Json, values: ToolArguments) => ArgumentOutcome;

const isTrueWord = (value: Json): boolean => toExactBoolean(value) === true;
const isFalseWord = (value: Json): boolean => toExactBoolean(value) === false;

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

const appendIfSet: ArgumentRule = (value, values) => (isUnsetValue(value) ? null : { ...values, append: true });

/** It has no effect, or the tool itself refuses what it is for: an edit of a text that occurs several times or not at all. */
const ignoreArgument: ArgumentRule = () => null;

const refuseBackground = refuseIfSet(
  "It ends a command's background processes with the command. Ask the user to start what must keep running in a terminal.",
);
const refuseForeground: ArgumentRule = (value) => (isFalseWord(value) ? refuseBackground(true, {}) : null);

const runInFolder: ArgumentRule = (value, values) => {
  if (isUnsetValue(value)) return null;
  const { command } = values;
  return typeof value === "string" && typeof command === "string"
    ? { ...values, command: runInSubfolder(command, value) }
    : "The folder to run in must be text. Begin the command with cd instead.";
};

/** Sets a parameter that has no value yet if the argument passes the test. */
const setIf =
  (test: (value: Json) => boolean, name: string, set: Json): ArgumentRule =>
  (value, values) =>
    test(value) && values[name] === undefined ? { ...values, [name]: set } : null;

const addContextLines: ArgumentRule = (value, values) => {
  const lines = Number(value);
  const context = typeof values.context === "number" ? values.context : 0;
  return Number.isInteger(lines) && lines > context ? { ...values, context: lines } : null;
};

const refuseExclusion = refuseIfSet("It has no argument for what to leave out. Narrow path or pattern instead.");

/** Accepts an unset value and those that match; refuses others. */
const refuseUnless =
  (pattern: RegExp, reason: string): ArgumentRule =>
  (value) =>
    isUnsetValue(value) || pattern.test(String(value)) ? null : reason;

const readHead: ArgumentRule = (value, values) => {
  const lines = Number(value);
  return Number.isInteger(lines) && lines > 0 && values.limit === undefined ? { ...values, limit: lines } : null;
};

/** The rules of each tool, with the names of the arguments in the form of `toNameKey`. */
const rulesByTool: Readonly<Record<string, readonly (readonly [names: string, rule: ArgumentRule])[]>> = {
  read: [
    ["head", readHead],
    [
      "tail",
      refuseIfSet(
        "It counts lines from the start of a file. Read it with offset; the answer says how many lines there are.",
      ),
    ],
  ],
  ls: [["recursive r", setIf(isTrueWord, "depth", serverLimits.lsDepth)]],
  find: [
    ["type", refuseUnless(/^(?:f|files?)$/i, "It finds files only. Use ls with depth for folders.")],
    ["exclude exclude_pattern", refuseExclusion],
    ["extension extensions", refuseIfSet("It has no argument for extensions. Say it in the pattern, as in **/*.ts.")],
    ["contains content", refuseIfSet("It looks at names. Use grep to look into files.")],
  ],
  grep: [
    ["case_sensitive", setIf(isFalseWord, "ignore_case", true)],
    ["regex is_regex is_regexp use_regex", setIf(isFalseWord, "literal", true)],
    ["a b after_context before_context after before", addContextLines],
    ["type file_type", refuseIfSet("It has no argument for file types. Say it with glob, as in *.ts.")],
    ["multiline multi_line", refuseIfSet("It matches line by line. Search for one of the lines and read around it.")],
    ["v invert invert_match", refuseIfSet("It shows matching lines only. Use bash with grep -v.")],
    [
      "w whole_word whole_words word_regexp",
      refuseIfSet("It has no option for whole words. Put \\b around the word in the pattern."),
    ],
    ["exclude exclude_pattern excludes", refuseExclusion],
  ],
  edit: [
    [
      "count expected_replacements expected_occurrences max_replacements occurrence start_line end_line line_number ignore_case case_sensitive create_if_missing",
      ignoreArgument,
    ],
    [
      "regex use_regex is_regex",
      refuseIfSet("It looks for text, not for a regular expression. Copy the text as it stands in the file."),
    ],
    ["dry_run", refuseDryRun],
  ],
  write: [
    ["mode command operation action write_mode", applyWriteMode],
    ["append_mode is_append", appendIfSet],
    [
      "prepend insert_line start_line end_line line line_number position offset",
      refuseIfSet("It writes whole files. To change or insert a part, use edit with the lines that stand there."),
    ],
    [
      "overwrite",
      (value, values) =>
        isFalseWord(value) && values.append !== true
          ? "It replaces a file that exists. Look with ls first, then call it without overwrite."
          : null,
    ],
    [
      "encoding",
      refuseUnless(
        /^(?:utf-?8|text)$/i,
        "It keeps the encoding that a file has, and writes new files in UTF-8. Use bash with iconv for another one.",
      ),
    ],
    ["dry_run", refuseDryRun],
  ],
  delete: [
    ["force permanent permanently", ignoreArgument],
    ["dry_run", refuseDryRun],
  ],
  bash: [
    ["cwd workdir work_dir working_dir working_directory directory dir", runInFolder],
    ["background is_background run_in_background detach detached async", refuseBackground],
    ["blocking wait", refuseForeground],
    ["shell", refuseUnless(/^(?:true|yes|1|(?:\S*\/)?(?:ba)?sh)$/i, "It runs bash only.")],
    [
      "env environment",
      refuseIfSet("It takes no environment. Put the variables before the command, as in NAME=value command."),
    ],
    ["stdin is_input", refuseIfSet("Its commands have no input. Give it with a here-document in the command.")],
    [
      "restart",
      refuseIfSet("It starts every command in a clean shell; there is nothing to restart. Leave the argument out."),
    ],
  ],
};

const findRule = (tool: string, argument: string): ArgumentRule | undefined =>
  rulesByTool[tool]?.find(([names]) => names.split(" ").includes(argument))?.[1];

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
    const take = findRule(tool, name);
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
