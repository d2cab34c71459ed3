/** Why a name that is not in the catalogue cannot be called, if one of the sources has it all the same. Pure. */
import type { Catalogue, UnlistedSource } from "./catalogue";
import { type ExplainedObstacle, explainObstacle } from "./describe-obstacle";
import { nameKeys, toNameKey } from "./find-tool";

const separator = "__";

/** The part of an unlisted tool's name that follows its source. */
const partOf = (name: string, { id }: UnlistedSource): string =>
  name.startsWith(`${id}${separator}`) ? name.slice(id.length + separator.length) : name;

/** Null = no source has it. Names of built-in tools are not to be explained. */
export function explainName(name: string, { unlisted, sources: listed }: Catalogue): ExplainedObstacle | null {
  const sources = unlisted?.() ?? [];
  if (sources.length === 0) return null;
  const keys = nameKeys(name);
  const isName = (text: string): boolean => {
    const key = toNameKey(text);
    return keys.includes(key) || keys.includes(key.replaceAll("_", ""));
  };
  const tools = sources.flatMap((source) => source.tools.map((tool) => ({ source, ...tool })));
  const byPart = tools.filter((tool) => isName(partOf(tool.name, tool.source)));
  const tool = tools.find((one) => isName(one.name)) ?? (byPart.length === 1 ? byPart[0] : undefined);
  if (tool !== undefined) return explainObstacle({ ...tool, source: tool.source.id, page: tool.source.page });
  const begins = ({ id }: UnlistedSource): boolean => {
    const start = toNameKey(id);
    return isName(id) || keys.some((key) => key.startsWith(`${start}_`));
  };
  const [source] = sources
    .filter((one) => one.obstacle !== null && begins(one) && listed.every(({ id }) => id !== one.id))
    .toSorted((one, other) => other.id.length - one.id.length);
  return source === undefined ? null : explainObstacle({ ...source, name: source.id, source: source.id });
}
