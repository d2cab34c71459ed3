/** Reads a file of variables in the form of dotenv, which a server's entry names with `envFile` as in VS Code. */
import { readFile, realpath, stat } from "node:fs/promises";
import { fail, ok, type Result } from "@/lib/events/error";

const maxBytes = 65_536;
const assignment = /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/y;

/** Returns the variables of the text; lines that are no assignment are ignored. Values in quotes may have several lines. */
export function parseEnvFile(text: string): { readonly [name: string]: string } {
  const variables = new Map<string, string>();
  const lines = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  for (let at = 0; at < lines.length; ) {
    assignment.lastIndex = at;
    const found = assignment.exec(lines);
    const start = found === null ? at : assignment.lastIndex;
    const lineEnd = endOf(lines, "\n", start);
    const quote = lines[start] ?? "";
    const close = found !== null && /["'`]/.test(quote) ? findClose(lines, quote, start + 1) : -1;
    if (found !== null) {
      const inner = close < 0 ? plainValue(lines.slice(start, lineEnd)) : lines.slice(start + 1, close);
      variables.set(found[1] ?? "", quote === '"' && close >= 0 ? unescape(inner) : inner);
    }
    at = (close < 0 ? lineEnd : endOf(lines, "\n", close)) + 1;
  }
  return Object.fromEntries(variables);
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}

/** In double quotes, a backslash precedes a quote that belongs to the value. */
function findClose(text: string, quote: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (quote === '"' && text[at] === "\\") at += 1;
  }
  return -1;
}

const plainValue = (text: string): string => (text.startsWith("#") ? "" : (text.split(/[ \t]#/, 1)[0] ?? "")).trim();

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const unescape = (text: string): string => text.replace(/\\(["\\nrt])/g, (_all, char: string) => escapes[char] ?? char);

/**
 * Reads the file; without a path there are no variables. Fails with bad_input: `reason: "env_file"` if it is missing, no
 * file, too large or unreadable, and `reason: "untrusted"` if it is in a folder that the user does not trust, because its
 * variables could run programs of that folder.
 */
export async function readEnvFile(
  path: string | undefined,
  untrustedRoot: string | null,
): Promise<Result<{ readonly [name: string]: string }>> {
  if (path === undefined) return ok({});
  const unreadable = fail("bad_input", `its file of variables ${path} cannot be read`, { reason: "env_file", path });
  try {
    const real = await realpath(path);
    if (untrustedRoot !== null && real.startsWith(`${untrustedRoot}/`))
      return fail("bad_input", undefined, { reason: "untrusted" });
    const found = await stat(real);
    if (!found.isFile() || found.size > maxBytes) return unreadable;
    return ok(parseEnvFile(await readFile(real, "utf8")));
  } catch {
    return unreadable;
  }
}
