/**
 * Maps tool names and arguments that models have learned from other agents to calls of the built-in tools. Maps only
 * what is unambiguous; any other call keeps its name and is answered with an error. Pure.
 */
import type { Json } from "@/lib/events/content";
import { toNameKey } from "@/lib/text/name-key";
import { parsePatchCall, parseSearchReplaceEdits } from "./patch-calls";
import { quoteShellWord } from "@/lib/tools/quote-shell-word";

export interface BuiltinCall {
  readonly name: string;
  readonly input: Json;
}

type CallFields = { readonly [name: string]: Json };

/** Tool names of other agents, in snake_case, by the built-in tool that does the same. */
const foreignNames: Readonly<Record<string, readonly string[]>> = {
  read: "read_file readfile view view_file cat open open_file get_file read_text_file read_many_files get_file_contents file_read fs_read view_text_file read_file_content file file_tool".split(
    " ",
  ),
  ls: "list list_dir list_files list_directory listdir dir tree list_folder directory_tree list_directory_contents".split(
    " ",
  ),
  find: "glob find_files file_search search_files find_file glob_search glob_file_search find_by_name search_files_by_name".split(
    " ",
  ),
  grep: "search search_text ripgrep rg grep_search search_code codebase_search search_file_content search_in_files search_content grep_files find_in_files".split(
    " ",
  ),
  edit: "edit_file str_replace replace replace_in_file apply_patch apply_diff str_replace_editor str_replace_based_edit_tool patch multiedit multi_edit modify_file search_replace search_and_replace string_replace replace_string_in_file edit_block file_edit fs_edit update_file".split(
    " ",
  ),
  write:
    "write_file create create_file save save_file write_to_file new_file overwrite_file file_write fs_write write_text_file append_file append_to_file file_append append".split(
      " ",
    ),
  delete: "delete_file remove rm remove_file unlink trash".split(" "),
  bash: "shell run run_command execute execute_command exec terminal run_shell_command sh cmd run_terminal_cmd run_terminal_command run_in_terminal execute_bash run_bash bash_command shell_command local_shell execute_shell exec_command container_exec execute_shell_command shell_exec command".split(
    " ",
  ),
};

const toolByForeignName = new Map(
  Object.entries(foreignNames).flatMap(([tool, aliases]) => aliases.map((other) => [other, tool] as const)),
);

/** The key of a tool's name, without a prefix: `functions.readFile` → `read_file`. */
const toToolKey = (name: string): string => toNameKey(name).replace(/^(?:functions?|tools?)_/, "");

/** Returns the built-in tool for `name`: the tool itself in another spelling, or the tool a foreign name maps to. */
export function findBuiltinTool(name: string): string | undefined {
  const plain = toToolKey(name);
  return Object.hasOwn(foreignNames, plain) ? plain : toolByForeignName.get(plain);
}

/**
 * Returns the tool of `offered` that `name` means: the tool itself, also in another spelling, or the built-in tool a
 * foreign name maps to; undefined = none, or several are spelled alike.
 */
export function findOfferedTool(name: string, offered: readonly string[]): string | undefined {
  if (offered.includes(name)) return name;
  const plain = toToolKey(name);
  const [spelled, second] = offered.filter((other) => toToolKey(other) === plain);
  if (spelled !== undefined) return second === undefined ? spelled : undefined;
  const tool = findBuiltinTool(name);
  return tool !== undefined && offered.includes(tool) ? tool : undefined;
}

const isAppending = (plain: string): boolean => /^(?:append(?:_to)?(?:_file)?|file_append)$/.test(plain);

const isFields = (value: Json | undefined): value is CallFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const firstStringField = (fields: CallFields, ...keys: readonly string[]): string | undefined => {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string") return value;
  }
  return undefined;
};

const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null;

/** Returns whether the value is true, as a boolean or as a word for it. */
const isTruthyWord = (value: Json | undefined): boolean => /^(?:true|yes|1)$/i.test(String(value).trim());

const pathKeys = ["path", "file_path", "filePath", "file", "target_file", "filename"] as const;
const globCharacters = /[*?[\]{}]/;

/** Maps `read_many_files` with one path. Returns null for several paths: they would be several calls. */
function mapReadCall(fields: CallFields): CallFields | null {
  const paths = fields.paths ?? fields.files ?? fields.include;
  if (!Array.isArray(paths)) return fields;
  return paths.length === 1 && typeof paths[0] === "string" && !globCharacters.test(paths[0])
    ? { path: paths[0] }
    : null;
}

/** Maps a file search: with an expression or query it searches contents, with a pattern it searches names. */
function mapSearchCall(name: string, fields: CallFields): BuiltinCall | null {
  const expression = firstStringField(
    fields,
    "regex",
    "regexp",
    "query",
    "search_term",
    "searchTerm",
    "text",
    "content_pattern",
  );
  const pattern = firstStringField(fields, "pattern", "glob", "glob_pattern", "file_pattern", "name");
  if (name === "search_files" && expression !== undefined) {
    const glob = firstStringField(fields, "file_pattern", "filePattern", "glob", "include");
    const path = firstStringField(fields, "path", "directory", "dir");
    return {
      name: "grep",
      input: {
        pattern: expression,
        ...(path === undefined ? {} : { path }),
        ...(glob === undefined || glob === "*" ? {} : { glob }),
      },
    };
  }
  return expression === undefined && pattern === undefined ? null : { name: "find", input: fields };
}

const isPlainReplacement = (fields: CallFields): boolean => {
  const knownFields: readonly string[] = [...pathKeys, "old_str"];
  return Object.entries(fields).every(([name, value]) => knownFields.includes(name) || value === null);
};

/** Maps a `str_replace_editor` call by its `command`. Returns null for a command without an equivalent. */
function mapEditorCall(fields: CallFields): BuiltinCall | null {
  const { command, ...rest } = fields;
  const path = firstStringField(fields, ...pathKeys);
  if (path === undefined) return null;
  switch (command) {
    case "view":
      return path.endsWith("/") ? { name: "ls", input: { path } } : { name: "read", input: rest };
    case "create":
      return { name: "write", input: rest };
    case "str_replace":
      // Only `str_replace_editor` defines a missing new text as a deletion; with another argument name the text may
      // be present.
      return { name: "edit", input: isPlainReplacement(rest) ? { new_str: "", ...rest } : rest };
    default:
      return null;
  }
}

/** Tools by the operation of a tool for everything about files. */
const fileOperations: Readonly<Record<string, readonly string[]>> = {
  read: ["read", "view", "get", "cat"],
  write: ["write", "create", "save", "overwrite", "append"],
  delete: ["delete", "remove", "rm"],
  ls: ["list", "ls", "dir"],
};

/** Maps a call of a tool for everything about files by its operation. Returns null for another one. */
function mapFileCall(fields: CallFields): BuiltinCall | null {
  const key = ["operation", "action", "op", "command"].find((name) => typeof fields[name] === "string");
  if (key === undefined) return null;
  const { [key]: written, ...rest } = fields;
  const operation = toToolKey(String(written)).replace(/_(?:file|dir|directory)$/, "");
  const tool = Object.keys(fileOperations).find((name) => fileOperations[name]?.includes(operation));
  if (tool === undefined) return null;
  return { name: tool, input: operation === "append" ? { ...rest, append: true } : rest };
}

function mapEditCall(name: string, fields: CallFields): BuiltinCall | null {
  if (name.startsWith("str_replace_") && "command" in fields) return mapEditorCall(fields);
  const patch = firstStringField(fields, "patch", "input", "patch_text", "patchText");
  if (name === "apply_patch" || (name === "patch" && patch !== undefined))
    return patch === undefined ? null : parsePatchCall(patch);
  const diff = firstStringField(fields, "diff");
  if (diff !== undefined) {
    const path = firstStringField(fields, ...pathKeys);
    const edits = parseSearchReplaceEdits(diff);
    return path === undefined || edits === null ? null : { name: "edit", input: { path, edits } };
  }
  // `code_edit` is a sketch that omits unchanged code; it cannot be applied.
  if ("code_edit" in fields || "codeEdit" in fields) return null;
  // The edit tool matches literal text in the whole file.
  if (isTruthyWord(fields.use_regex) || isTruthyWord(fields.regex) || isTruthyWord(fields.is_regex)) return null;
  return { name: "edit", input: fields };
}

function parseCommand(written: Json | undefined): string | undefined {
  if (typeof written === "string") return written;
  if (!Array.isArray(written) || written.length === 0) return undefined;
  const words = written.flatMap((word) => (typeof word === "string" ? [word] : []));
  if (words.length !== written.length) return undefined;
  const [shell = "", option = "", script] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option)) return script;
  return words.map(quoteShellWord).join(" ");
}

/** Maps a shell call with any name for its command; folder, time limit and other options pass through unchanged. */
function mapShellCall(fields: CallFields): BuiltinCall | null {
  const key = commandKeys.find((name) => isSet(fields[name]));
  const command = key === undefined ? undefined : parseCommand(fields[key]);
  if (key === undefined || command === undefined) return null;
  const { [key]: _command, ...others } = fields;
  return { name: "bash", input: { command, ...others } };
}

const commandKeys = ["command", "cmd", "shell_command", "commandLine", "CommandLine"] as const;

function mapCall(name: string, tool: string, input: Json): BuiltinCall | null {
  const plain = toToolKey(name);
  if (typeof input === "string" && input.trimStart().startsWith("{")) {
    try {
      const parsed: Json = JSON.parse(input);
      if (isFields(parsed)) return mapCall(name, tool, parsed);
    } catch {
      return { name: tool, input };
    }
  }
  if (!isFields(input))
    return plain === "apply_patch" && typeof input === "string" ? parsePatchCall(input) : { name: tool, input };
  if (tool === "bash") return mapShellCall(input);
  if (isAppending(plain)) return { name: tool, input: { ...input, append: true } };
  if (plain === tool) return { name: tool, input };
  if (tool === "edit") return mapEditCall(plain, input);
  if (plain === "file" || plain === "file_tool") return mapFileCall(input);
  if (tool === "find") return mapSearchCall(plain, input);
  // It searches by meaning; no pattern does that.
  if (plain === "codebase_search") return null;
  const read = tool === "read" ? mapReadCall(input) : input;
  return read === null ? null : { name: tool, input: read };
}

/** Returns the call under the built-in tool's name, or null if no built-in tool does the same without a guess. */
export function mapForeignCall(name: string, input: Json): BuiltinCall | null {
  const tool = findBuiltinTool(name);
  return tool === undefined ? null : mapCall(name, tool, input);
}

/**
 * Returns whether `name` is a foreign name of a built-in tool; false for the names of the built-in tools themselves.
 */
export const isForeignToolName = (name: string): boolean => toolByForeignName.has(toToolKey(name));
