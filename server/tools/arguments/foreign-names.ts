/**
 * The names by which models call what has another name here: tools, parameters, and the fields of a call that is written
 * as an object. All are in the form of `toNameKey`. Pure.
 */
import type { Json } from "@/lib/events/content";
import { toNameKey } from "@/lib/text/name-key";

type NamesByOwnName = Readonly<Record<string, string>>;

/** Tool names of other agents, by the built-in tool that does the same. */
const toolNames: NamesByOwnName = {
  read: "read_file readfile view view_file cat open open_file get_file read_text_file read_many_files get_file_contents file_read fs_read view_text_file read_file_content file file_tool",
  ls: "list list_dir list_files list_directory listdir dir tree list_folder directory_tree list_directory_contents",
  find: "glob find_files file_search search_files find_file glob_search glob_file_search find_by_name search_files_by_name",
  grep: "search search_text ripgrep rg grep_search search_code codebase_search search_file_content search_in_files search_content grep_files find_in_files",
  edit: "edit_file str_replace replace replace_in_file apply_patch apply_diff str_replace_editor str_replace_based_edit_tool patch multiedit multi_edit modify_file search_replace search_and_replace string_replace replace_string_in_file edit_block file_edit fs_edit update_file",
  write:
    "write_file create create_file save save_file write_to_file new_file overwrite_file file_write fs_write write_text_file append_file append_to_file file_append append",
  delete: "delete_file remove rm remove_file unlink trash",
  bash: "shell run run_command execute execute_command exec terminal run_shell_command sh cmd run_terminal_cmd run_terminal_command run_in_terminal execute_bash run_bash bash_command shell_command local_shell execute_shell exec_command container_exec execute_shell_command shell_exec command",
};

/** By the declared name; the first one that is written is used, and only if the declared one is not. */
const parameterNames: NamesByOwnName = {
  path: "file_path filepath filename file_name file target_file absolute_path relative_path dir directory dir_path directory_path relative_workspace_path folder target paths uri",
  offset: "start_line line_start start from_line from line line_number begin_line",
  limit: "count lines num_lines max_lines line_count length",
  end_line: "line_end end to_line to",
  line_range: "view_range range",
  depth: "max_depth levels level",
  pattern: "query regex regexp search search_term glob_pattern glob text name q",
  glob: "include file_pattern include_pattern includes file_glob",
  literal: "fixed_strings fixed is_literal",
  ignore_case: "case_insensitive i insensitive",
  context: "context_lines c lines_of_context",
  old_string: "old_text old_str old search find original old_code old_content target_text",
  new_string: "new_text new_str new replace replacement updated new_code new_content replace_with",
  replace_all: "all global replace_all_occurrences multiple",
  content: "contents text file_text data body file_content file_contents code new_content",
  command: "cmd script shell_command bash code commands input command_line",
  timeout: "timeout_seconds timeout_s timeout_sec seconds time_limit",
  timeout_ms: "timeout_milliseconds timeout_millis",
};

const splitNames = (names: string): readonly string[] => names.split(" ");

const namesByParameter = new Map(
  Object.entries(parameterNames).map(([name, names]) => [name, [name, ...splitNames(names)]] as const),
);

/** A parameter's own name and those that are accepted in its place. */
export const namesOf = (parameter: string): readonly string[] => namesByParameter.get(parameter) ?? [parameter];

/** The fields in which a call has the name of its tool and its input. Input alone can be around the arguments, too. */
export const callFields = {
  name: splitNames("name tool_name function_name recipient_name tool function action"),
  input: splitNames(
    "arguments parameters args params input inputs tool_input tool_args tool_arguments tool_parameters action_input kwargs",
  ),
} as const;

interface TakenField {
  /** As it was written. */
  readonly name: string;
  readonly value: Json;
  readonly rest: { readonly [name: string]: Json };
}

const hasValue = (value: Json): boolean => value !== null && value !== "";

/** Returns the field with the first of the names that has an accepted value, in any spelling. */
export function takeField(
  fields: { readonly [name: string]: Json },
  names: readonly string[],
  accepts: (value: Json) => boolean = hasValue,
): TakenField | undefined {
  let found: string | undefined;
  let rank = names.length;
  for (const name of Object.keys(fields)) {
    const place = names.indexOf(toNameKey(name));
    if (place < 0 || place >= rank || !accepts(fields[name] ?? null)) continue;
    found = name;
    rank = place;
  }
  if (found === undefined) return undefined;
  const { [found]: value = null, ...rest } = fields;
  return { name: found, value, rest };
}

const toolByForeignName = new Map(
  Object.entries(toolNames).flatMap(([tool, names]) => splitNames(names).map((name) => [name, tool] as const)),
);

/** The key of a tool's name, without a prefix: `functions.readFile` → `read_file`. */
export const toToolKey = (name: string): string => toNameKey(name).replace(/^(?:functions?|tools?)_/, "");

/** Returns the built-in tool for `name`: the tool itself in another spelling, or the tool a foreign name maps to. */
export function findBuiltinTool(name: string): string | undefined {
  const key = toToolKey(name);
  return Object.hasOwn(toolNames, key) ? key : toolByForeignName.get(key);
}

/**
 * Returns the tool of `offered` that `name` means: the tool itself, also in another spelling, or the built-in tool a
 * foreign name maps to; undefined = none, or several are spelled alike.
 */
export function findOfferedTool(name: string, offered: readonly string[]): string | undefined {
  if (offered.includes(name)) return name;
  const key = toToolKey(name);
  const [spelled, second] = offered.filter((other) => toToolKey(other) === key);
  if (spelled !== undefined) return second === undefined ? spelled : undefined;
  const tool = findBuiltinTool(name);
  return tool !== undefined && offered.includes(tool) ? tool : undefined;
}

/**
 * Returns whether `name` is a foreign name of a built-in tool; false for the names of the built-in tools themselves.
 */
export const isForeignToolName = (name: string): boolean => toolByForeignName.has(toToolKey(name));
