/** Why a name that is not in the catalogue cannot be called, if one of the sources has it all the same. Pure. */
import type { Catalogue } from "./catalogue";
import { type ExplainedObstacle, explainObstacle } from "./describe-obstacle";
import { findInIndex, findSourceAtStart, indexNames } from "./find-tool";

/** Null = no source has it. Names of built-in tools are not to be explained. */
export function explainName(name: string, { unlisted, sources: listed }: Catalogue): ExplainedObstacle | null {
  const sources = unlisted?.() ?? [];
  const tools = sources.flatMap(({ id, page, tools }) => tools.map((tool) => ({ ...tool, source: id, page })));
  const index = indexNames(tools);
  const tool = index.byName.get(name) ?? findInIndex(name, index.byKey) ?? findInIndex(name, index.byPart);
  if (tool !== undefined) return explainObstacle(tool);
  const begins = findSourceAtStart(name, [...listed, ...sources]);
  const source = sources.find(({ id, obstacle }) => id === begins?.id && obstacle !== null);
  if (source === undefined || listed.some(({ id }) => id === source.id)) return null;
  return explainObstacle({ ...source, name: source.id, source: source.id });
}
