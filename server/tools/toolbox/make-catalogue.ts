/** Merges the tools of all sources into the catalogue of a project. */
import type { ProjectId } from "@/lib/events/id";
import { makeBoundedAttempts } from "@/server/base/bounded-attempts";
import { weakMemo } from "@/server/base/weak-memo";
import type { Catalogue, CatalogueSource, CatalogueTool, UnlistedSource } from "./catalogue";

export const emptyCatalogue: Catalogue = { sources: [], tools: [] };

const catalogueByWindow = weakMemo((_catalogue: Catalogue) => new Map<number, Catalogue>());

/** The catalogue of sessions with a context window of that many tokens; the same one for the same window. */
export function catalogueForWindow(catalogue: Catalogue, window: number): Catalogue {
  const isTooSmall = ({ minWindow = 0, obstacle }: CatalogueTool): boolean => obstacle === null && minWindow > window;
  if (!catalogue.tools.some(isTooSmall)) return catalogue;
  const cached = catalogueByWindow(catalogue);
  const fitted = cached.get(window) ?? {
    ...catalogue,
    tools: catalogue.tools.map((tool) =>
      isTooSmall(tool) ? { ...tool, obstacle: { kind: "window" as const, tokens: tool.minWindow ?? 0 } } : tool,
    ),
  };
  cached.set(window, fitted);
  return fitted;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns a function that merges the sources; it returns the same catalogue until a source lists other tools. `disabled` =
 * names of tools that the user switched off, of whichever source.
 */
export function makeCatalogues(
  sources: () => readonly CatalogueSource[],
  disabled: () => readonly string[] = () => [],
): (projectId: ProjectId) => Catalogue {
  const merged = new Map<ProjectId, { readonly from: readonly unknown[]; readonly catalogue: Catalogue }>();
  return (projectId) => {
    const listed = sources().toSorted((a, b) => compareText(a.id, b.id));
    const lists = listed.map((source) => source.tools(projectId));
    const off = disabled();
    const from = [off.join("\n"), ...listed.map(({ id, instructions }) => `${id}\n${instructions}`), ...lists];
    const cached = merged.get(projectId);
    if (cached !== undefined && cached.from.length === from.length && cached.from.every((one, at) => one === from[at]))
      return cached.catalogue;
    const unlisted = (): readonly UnlistedSource[] => sources().flatMap((source) => source.unlisted?.(projectId) ?? []);
    const catalogue = { ...switchOff(mergeTools(listed, lists), new Set(off)), unlisted };
    merged.set(projectId, { from, catalogue });
    return catalogue;
  };
}

function mergeTools(sources: readonly CatalogueSource[], lists: readonly (readonly CatalogueTool[])[]): Catalogue {
  const tools = new Map<string, CatalogueTool>();
  for (const tool of lists.flat()) if (!tools.has(tool.name)) tools.set(tool.name, tool);
  const used = new Set([...tools.values()].map(({ source }) => source));
  // Two projects may have sources of one id: the one of the other project lists nothing here.
  const isUsed = ({ id }: CatalogueSource, at: number): boolean => used.has(id) && (lists[at] ?? []).length > 0;
  return { sources: sources.filter(isUsed), tools: [...tools.values()] };
}

/** A tool that cannot be called for another reason keeps that one. */
const switchOff = ({ sources, tools }: Catalogue, off: ReadonlySet<string>): Catalogue => ({
  sources,
  tools: tools.map((tool) =>
    tool.obstacle === null && off.has(tool.name) ? { ...tool, obstacle: { kind: "off" as const } } : tool,
  ),
});

/** Longest wait for one source, ms. */
const prepareMs = 2_000;

type PreparedSource = Pick<CatalogueSource, "id" | "prepare">;

/**
 * Returns a function that has the sources read the tools of a project. One that fails or takes too long keeps those it
 * has: that is logged. One that hangs is skipped until it answers. The function never rejects.
 */
export function makePrepareCatalogue(
  log: (line: string) => void,
  limitMs = prepareMs,
): (sources: readonly PreparedSource[], projectId: ProjectId) => Promise<void> {
  const attempt = makeBoundedAttempts(limitMs);
  return async (sources, projectId) => {
    const prepareOne = async ({ id, prepare }: PreparedSource): Promise<void> => {
      if (prepare === undefined) return;
      const prepared = await attempt(JSON.stringify([id, projectId]), (signal) => prepare(projectId, signal));
      if (prepared.kind === "failed") log(`The tools of ${id} were not read: ${String(prepared.error)}`);
    };
    await Promise.all(sources.map(prepareOne));
  };
}
