/** Why a name that is not in the catalogue cannot be called, if one of the sources has it all the same. Pure. */
import { toNameKey } from "@/lib/text/name-key";
import type { Catalogue, UnlistedSource } from "./catalogue";
import { type ExplainedObstacle, explainObstacle } from "./describe-obstacle";
import { nameKeys } from "./find-tool";

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
  const begins = ({ id }: { readonly id: string }): boolean => {
    const start = toNameKey(id);
    return isName(id) || keys.some((key) => key.startsWith(`${start}_`));
  };
  // The id of one source can be the start of another one's.
  const [longest] = [...listed, ...sources].filter(begins).toSorted((one, other) => other.id.length - one.id.length);
  const source = sources.find(({ id, obstacle }) => id === longest?.id && obstacle !== null);
  if (source === undefined || listed.some(({ id }) => id === source.id)) return null;
  return explainObstacle({ ...source, name: source.id, source: source.id });
}
