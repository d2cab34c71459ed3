/** Translates workspace errors to sentences for the model: what is wrong with a path and the next step. */
import type { AgentError, Result } from "@/lib/events/error";
import type { AnyFacts } from "@/lib/events/error-facts";
import { type ErrorSentences, errorSentence } from "@/lib/events/error-sentences";
import { ToolError } from "./tool";

/** Formats a byte count as in `ls` and refusals: 0 B, 1.2 KB, 34 MB. */
export function formatDecimalSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Formats the kind and size of a file. */
function formatMeasure({ type, bytes }: Pick<AnyFacts, "type" | "bytes">): string {
  const words = [...(type === undefined ? [] : [type]), ...(bytes === undefined ? [] : [formatDecimalSize(bytes)])];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

const sentences: ErrorSentences<string> = {
  not_found: (_facts, path) => `${path} does not exist.`,
  unreadable_name: (_facts, path) =>
    `The name of ${path} is not UTF-8, so no tool can open it. bash can, with a pattern such as *.`,
  is_folder: (_facts, path) => `${path} is a folder. Use ls to list it, or name a file in it.`,
  not_folder: (_facts, path) => `${path} is not a folder, or a part of its path is a file.`,
  not_a_file: (_facts, path) => `${path} is neither a file nor a folder (a device, pipe or socket).`,
  binary: (facts, path) => `${path} is a binary file${formatMeasure(facts)}, not text.`,
  bad_encoding: (facts, path) => `${path} is not valid text in any encoding that is supported${formatMeasure(facts)}.`,
  unencodable: ({ encoding, character, line }, path) =>
    `${path} is kept in ${encoding}, which has no character for "${character}" (line ${line} of the new text). Nothing was written. Write it another way, or convert the file to UTF-8 with bash first (iconv).`,
  too_large: (facts, path) =>
    `${path} is too large${formatMeasure(facts)}. Use grep to find the lines that matter, or bash with sed -n.`,
  no_permission: (_facts, path) =>
    `The user account running this has no permission for ${path}. Tell the user if it is needed.`,
  broken_link: (_facts, path) => `${path} is a link that leads to nothing or in a circle.`,
  exists: (_facts, path) => `${path} exists already.`,
  disk_full: "The disk is full. Nothing was written; tell the user.",
  changed_meanwhile: (_facts, path) =>
    `${path} was changed by someone else meanwhile. Nothing was written. Read it again, then repeat the change.`,
  outside: (_facts, path) => `${path} is outside the project.`,
  protected: (_facts, path) => `${path} is protected: tools may neither read nor write it. Go on without it.`,
  bad_path: (_facts, path) => `${path} is not a path that can exist.`,
  timeout: "The search took too long. Narrow path, pattern or glob.",
};

/** Converts a workspace error to a ToolError; `more` is an additional sentence. */
export function toToolError(error: AgentError, path: string, more = ""): ToolError {
  const { code, detail } = error;
  const sentence = errorSentence(sentences, error, path) ?? `${path}: ${detail ?? code}`;
  return new ToolError(code, more === "" ? sentence : `${sentence} ${more}`, { code });
}

/** Returns the value of a result, or throws its error as a ToolError. */
export function unwrapOrThrow<T>(result: Result<T>, path: string): T {
  if (!result.ok) throw toToolError(result.error, path);
  return result.value;
}
