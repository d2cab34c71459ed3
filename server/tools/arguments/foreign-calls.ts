/**
 * Maps tool names and arguments that models have learned from other agents to calls of the built-in tools. Maps only
 * what is unambiguous; any other call keeps its name and is answered with an error. Pure.
 */
import { isJsonObject, type Json } from "@/lib/events/content";
import { toExactBoolean } from "./exact-values";
import { findBuiltinTool, namesOf, takeField, toToolKey } from "./foreign-names";
import { parsePatchCall, parseSearchReplaceEdits } from "./patch-calls";
import { readWrittenInput } from "../written-json/read-written-input";
import { joinShellWords } from "./repair-arguments";

export interface BuiltinCall {
  readonly name: string;
  readonly input: Json;
}

type CallFields = { readonly [name: string]: Json };

const isAppending = (plain: string): boolean => /^(?:append(?:_to)?(?:_file)?|file_append)$/.test(plain);

/** The text of a parameter under any of its names. */
const textOf = (fields: CallFields, ...names: readonly string[]): string | undefined => {
  const value = takeField(fields, names, (one) => typeof one === "string")?.value;
  return typeof value === "string" ? value : undefined;
};

/** Returns whether the value is true, as a boolean or as a word for it. */
const isTruthyWord = (value: Json): boolean => toExactBoolean(value) === true;

const globCharacters = /[*?[\]{}]/;

/** Maps `read_many_files` with one path. Returns null for several paths: they would be several calls. */
function mapReadCall(fields: CallFields): CallFields | null {
  const paths = fields.paths ?? fields.files ?? fields.include;
  if (!Array.isArray(paths)) return fields;
  return paths.length === 1 && typeof paths[0] === "string" && !globCharacters.test(paths[0])
    ? { path: paths[0] }
    : null;
}

/** Words for the contents of files, not for their names. */
const expressionNames = ["regex", "regexp", "query", "search_term", "text", "content_pattern"];

/** Maps a file search: with an expression or query it searches contents, with a pattern it searches names. */
function mapSearchCall(name: string, fields: CallFields): BuiltinCall | null {
  const expression = textOf(fields, ...expressionNames);
  const glob = textOf(fields, ...namesOf("glob"));
  if (name === "search_files" && expression !== undefined) {
    const path = textOf(fields, ...namesOf("path"));
    return {
      name: "grep",
      input: {
        pattern: expression,
        ...(path === undefined ? {} : { path }),
        ...(glob === undefined || glob === "*" ? {} : { glob }),
      },
    };
  }
  const isSearch = (expression ?? glob ?? textOf(fields, ...namesOf("pattern"))) !== undefined;
  return isSearch ? { name: "find", input: fields } : null;
}

const isPlainReplacement = (fields: CallFields): boolean => {
  const { rest = fields } = takeField(fields, namesOf("path")) ?? {};
  const others = takeField(rest, ["old_str"])?.rest ?? rest;
  return Object.values(others).every((value) => value === null);
};

/** Maps a `str_replace_editor` call by its `command`. Returns null for a command without an equivalent. */
function mapEditorCall(fields: CallFields): BuiltinCall | null {
  const { command, ...rest } = fields;
  const path = textOf(fields, ...namesOf("path"));
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

const fileTools: ReadonlySet<string | undefined> = new Set(["read", "write", "delete", "ls"]);

/** Maps a call of a tool for everything about files by its operation. Returns null for another one. */
function mapFileCall(fields: CallFields): BuiltinCall | null {
  const { value, rest = fields } = takeField(fields, ["operation", "action", "op", "command"]) ?? {};
  if (typeof value !== "string") return null;
  const tool = [value, `${value}_file`].map(findBuiltinTool).find((name) => fileTools.has(name));
  return tool === undefined
    ? null
    : { name: tool, input: isAppending(toToolKey(value)) ? { ...rest, append: true } : rest };
}

function mapEditCall(name: string, fields: CallFields): BuiltinCall | null {
  if (name.startsWith("str_replace_") && "command" in fields) return mapEditorCall(fields);
  const patch = textOf(fields, "patch", "input", "patch_text");
  if (name === "apply_patch" || (name === "patch" && patch !== undefined))
    return patch === undefined ? null : parsePatchCall(patch);
  const diff = textOf(fields, "diff");
  if (diff !== undefined) {
    const path = textOf(fields, ...namesOf("path"));
    const edits = parseSearchReplaceEdits(diff);
    return path === undefined || edits === null ? null : { name: "edit", input: { path, edits } };
  }
  // `code_edit` is a sketch that omits unchanged code; it cannot be applied.
  if (takeField(fields, ["code_edit"], () => true) !== undefined) return null;
  // The edit tool matches literal text in the whole file.
  return takeField(fields, ["use_regex", "regex", "is_regex"], isTruthyWord) === undefined
    ? { name: "edit", input: fields }
    : null;
}

const isSet = (value: Json): boolean => value !== null;

/** Not all names of the parameter: `code` may be of another language. */
const commandNames = ["command", "cmd", "shell_command", "command_line"];

/** Maps a shell call with any name for its command; folder, time limit and other options pass through unchanged. */
function mapShellCall(fields: CallFields): BuiltinCall | null {
  const { value = null, rest } = takeField(fields, commandNames, isSet) ?? {};
  const command = joinShellWords(value);
  return typeof command === "string" ? { name: "bash", input: { command, ...rest } } : null;
}

/** Returns the call under the built-in tool's name, or null if no built-in tool does the same without a guess. */
export function mapForeignCall(name: string, written: Json): BuiltinCall | null {
  const tool = findBuiltinTool(name);
  if (tool === undefined) return null;
  const plain = toToolKey(name);
  const input = readWrittenInput(written);
  if (!isJsonObject(input))
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
