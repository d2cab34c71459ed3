/** Translates workspace errors to sentences for the model: what is wrong with a path and the next step. */
import type { AgentError, Result } from "@/lib/events/error";
import { ToolError } from "./tool";

/** Formats a byte count as in `ls` and refusals: 0 B, 1.2 KB, 34 MB. */
export function formatDecimalSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Formats the kind and size of a file from the error's facts. */
function formatErrorFacts(error: AgentError): string {
  const { size, bytes, type } = error.facts ?? {};
  const measured = typeof size === "number" ? size : typeof bytes === "number" ? bytes : null;
  const words = [
    ...(typeof type === "string" ? [type] : []),
    ...(measured === null ? [] : [formatDecimalSize(measured)]),
  ];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function formatUnencodable({ facts = {} }: AgentError, path: string): string {
  const { encoding, character, line } = facts;
  return `${path} is kept in ${encoding}, which has no character for "${character}" (line ${line} of the new text). Nothing was written. Write it another way, or convert the file to UTF-8 with bash first (iconv).`;
}

function formatWorkspaceError(error: AgentError, path: string): string {
  switch (error.code) {
    case "not_found":
      return `${path} does not exist.`;
    case "unreadable_name":
      return `The name of ${path} is not UTF-8, so no tool can open it. bash can, with a pattern such as *.`;
    case "is_folder":
      return `${path} is a folder. Use ls to list it, or name a file in it.`;
    case "not_folder":
      return `${path} is not a folder, or a part of its path is a file.`;
    case "not_a_file":
      return `${path} is neither a file nor a folder (a device, pipe or socket).`;
    case "binary":
      return `${path} is a binary file${formatErrorFacts(error)}, not text.`;
    case "bad_encoding":
      return `${path} is not valid text in any encoding that is supported${formatErrorFacts(error)}.`;
    case "unencodable":
      return formatUnencodable(error, path);
    case "too_large":
      return `${path} is too large${formatErrorFacts(error)}. Use grep to find the lines that matter, or bash with sed -n.`;
    case "no_permission":
      return `The user account running this has no permission for ${path}. Tell the user if it is needed.`;
    case "broken_link":
      return `${path} is a link that leads to nothing or in a circle.`;
    case "exists":
      return `${path} exists already.`;
    case "disk_full":
      return "The disk is full. Nothing was written; tell the user.";
    case "changed_meanwhile":
      return `${path} was changed by someone else meanwhile. Nothing was written. Read it again, then repeat the change.`;
    case "outside":
      return `${path} is outside the project.`;
    case "protected":
      return `${path} is protected: tools may neither read nor write it. Go on without it.`;
    case "bad_path":
      return `${path} is not a path that can exist.`;
    case "timeout":
      return "The search took too long. Narrow path, pattern or glob.";
    default:
      return `${path}: ${error.detail ?? error.code}`;
  }
}

/** Converts a workspace error to a ToolError; `more` is an additional sentence. */
export function toToolError(error: AgentError, path: string, more = ""): ToolError {
  return new ToolError(
    error.code,
    more === "" ? formatWorkspaceError(error, path) : `${formatWorkspaceError(error, path)} ${more}`,
    {
      code: error.code,
    },
  );
}

/** Returns the value of a result, or throws its error as a ToolError. */
export function unwrapOrThrow<T>(result: Result<T>, path: string): T {
  if (!result.ok) throw toToolError(result.error, path);
  return result.value;
}
