/** Names of the tools of the catalogue, made from the names that other programs use. Pure. */
import { computeHash } from "@/server/base/id";

const maxNameChars = 64;
const maxSourceIdChars = 24;
const hashChars = 6;

const hashOf = (text: string): string => computeHash(text).slice(0, hashChars);

/** The letters, digits, `_` and `-` of a text; `_` for each run of others. */
const toPlainName = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, "_");

const isUsable = (name: string): boolean => /[A-Za-z0-9]/.test(name);

/** The start of a name and a hash, in at most `maxChars`. */
const cutWithHash = (name: string, hash: string, maxChars: number): string =>
  `${name.slice(0, maxChars - hashChars - 1)}_${hash}`;

/**
 * Returns the id of a source: lower case, at most 24 characters, without two underscores in a row, which end it in the
 * names of its tools.
 */
export function toSourceId(name: string): string {
  const plain = toPlainName(name.normalize("NFKC"))
    .toLowerCase()
    .replace(/__+/g, "_")
    .replace(/^[_-]+|[_-]+$/g, "");
  if (!isUsable(plain)) return `source_${hashOf(name)}`;
  return plain.length <= maxSourceIdChars ? plain : cutWithHash(plain, hashOf(name), maxSourceIdChars);
}

/** Returns the name of a tool, as in `github__create_issue`. `isHashed`: another tool's name would be the same. */
function toCatalogueName(source: string, tool: string, isHashed: boolean): string {
  const plain = toPlainName(tool);
  const name = `${source}__${isUsable(plain) ? plain : `tool_${hashOf(tool)}`}`;
  return isHashed || name.length > maxNameChars ? cutWithHash(name, hashOf(tool), maxNameChars) : name;
}

/**
 * Returns the names of a source's tools, in the order of `toolNames`: at most 64 letters, digits, `_` and `-`. Different
 * tools have different names, which do not depend on their order.
 */
export function nameTools(source: string, toolNames: readonly string[]): readonly string[] {
  const hashed = new Set<string>();
  for (;;) {
    const byName = new Map<string, Set<string>>();
    for (const tool of toolNames) {
      const name = toCatalogueName(source, tool, hashed.has(tool));
      byName.set(name, (byName.get(name) ?? new Set()).add(tool));
    }
    const equal = [...byName.values()].flatMap((tools) => (tools.size > 1 ? [...tools] : []));
    const before = hashed.size;
    for (const tool of equal) hashed.add(tool);
    if (hashed.size === before) return toolNames.map((tool) => toCatalogueName(source, tool, hashed.has(tool)));
  }
}
