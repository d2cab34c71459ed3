/** The built-in tools in the order of the contract, and how they are told to a model. Used by main and agent/. */
import type { Json } from "@/lib/content";
import type { Profile } from "@/lib/event";
import { toolText } from "../prompts/prompts";
import { bash } from "./bash";
import { deleteTool } from "./delete";
import { edit } from "./edit";
import { find } from "./find";
import { grep } from "./grep";
import { ls } from "./ls";
import { read } from "./read";
import type { Tool } from "./tool";
import { write } from "./write";

/** Order and bytes of their schemas are part of the prompt, and so of every model server's cache. */
export const builtinTools: readonly Tool[] = [read, ls, find, grep, edit, write, deleteTool, bash];

export interface ToldTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema object. */
  readonly parameters: Json;
}

/** What a model is told of the tools; the small profile has shorter words for the built-in ones, the full one richer ones. */
export const toolSchemas = (tools: readonly Tool[], profile: Profile = "default"): readonly ToldTool[] =>
  tools.map((tool) => ({
    name: tool.name,
    description: profile !== "default" && builtinTools.includes(tool) ? toolText(tool.name, profile) : tool.description,
    parameters: tool.parameters,
  }));

/** Names models know from elsewhere. */
const familiar: Readonly<Record<string, readonly string[]>> = {
  read: ["read_file", "readfile", "view", "view_file", "cat", "open", "open_file", "get_file", "read_text_file"],
  ls: ["list", "list_dir", "list_files", "list_directory", "listdir", "dir", "tree", "list_folder"],
  find: ["glob", "find_files", "file_search", "search_files", "find_file", "glob_search"],
  grep: [
    "search",
    "search_text",
    "ripgrep",
    "rg",
    "grep_search",
    "search_code",
    "codebase_search",
    "search_file_content",
  ],
  edit: [
    "edit_file",
    "str_replace",
    "replace",
    "replace_in_file",
    "apply_patch",
    "apply_diff",
    "str_replace_editor",
    "patch",
    "multiedit",
    "modify_file",
  ],
  write: ["write_file", "create", "create_file", "save", "save_file", "write_to_file", "new_file", "overwrite_file"],
  delete: ["delete_file", "remove", "rm", "remove_file", "unlink", "trash"],
  bash: [
    "shell",
    "run",
    "run_command",
    "execute",
    "execute_command",
    "exec",
    "terminal",
    "run_shell_command",
    "sh",
    "cmd",
    "run_terminal_cmd",
  ],
};

const builtinNames = builtinTools.map((tool) => tool.name);

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^functions?_|^tools?_/, "");

const familiarNames = new Set(Object.values(familiar).flat());

/** Whether models know `name` from elsewhere for one of the built-in tools; false for the names of the tools themselves. */
export const isFamiliarName = (name: string): boolean => familiarNames.has(plainName(name));

/** One or two sentences for a call of a tool that does not exist. `names` = the tools the model was told of. */
export function unknownToolText(name: string, names: readonly string[] = builtinNames): string {
  const plain = plainName(name);
  const meant = names.find((known) => known === plain || familiar[known]?.includes(plain));
  const hint = meant === undefined ? "" : ` Use ${meant}.`;
  return `There is no tool "${name.slice(0, 60)}".${hint} The tools are: ${names.join(", ")}.`;
}
