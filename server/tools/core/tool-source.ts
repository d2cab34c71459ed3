/**
 * Sources of tools. A prompt is composed from the tools the sources offer; the tools of a session are those its stored
 * prompt names.
 */
import type { Profile } from "@/lib/events/event";
import type { ToolSchema } from "@/lib/models/stored-prompt";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { findOfferedTool } from "../arguments/foreign-names";
import { type Tool, ToolError } from "./tool";

export interface ToolSource {
  /** Unique among the sources: `built-in`, or a name the user configured. */
  readonly id: string;
  /** Most estimated tokens of its schemas in a prompt; null = no limit. Tools that exceed it are left out. */
  readonly budgetTokens: number | null;
  /** The tools it offers now, in the order of the prompt. */
  tools(): readonly Tool[];
}

/** Returns the tool schemas of a new prompt. Of two tools with one name, the first source's is in it. */
export function composeToolSchemas(sources: readonly ToolSource[], profile: Profile): readonly ToolSchema[] {
  const names = new Set<string>();
  return sources.flatMap(({ budgetTokens, tools }) => {
    let left = budgetTokens ?? Number.POSITIVE_INFINITY;
    return tools().flatMap((tool): readonly ToolSchema[] => {
      const { name, parameters } = tool;
      const schema = { name, description: tool.description(profile), parameters };
      const tokens = budgetTokens === null ? 0 : estimateTokens(JSON.stringify(schema));
      if (names.has(name)) return [];
      // Also without room: calls of the name go to the first source that offers it.
      names.add(name);
      if (tokens > left) return [];
      left -= tokens;
      return [schema];
    });
  });
}

/** The sources without tools of these names. */
export const withoutTools = (sources: readonly ToolSource[], names: readonly string[]): readonly ToolSource[] =>
  names.length === 0
    ? sources
    : sources.map((source) => ({
        ...source,
        tools: () => source.tools().filter(({ name }) => !names.includes(name)),
      }));

/** Returns the tools of a stored prompt, in its order. A call of one that no source offers any more fails. */
export function resolveTools(schemas: readonly ToolSchema[], sources: readonly ToolSource[]): readonly Tool[] {
  const names = new Set(schemas.map(({ name }) => name));
  const offered = new Map<string, Tool>();
  // A source may have thousands of tools, of which a prompt has few.
  for (const { tools } of sources)
    for (const tool of tools()) if (names.has(tool.name) && !offered.has(tool.name)) offered.set(tool.name, tool);
  return schemas.map((schema) => offered.get(schema.name) ?? makeMissingTool(schema));
}

function makeMissingTool({ name, description, parameters }: ToolSchema): Tool {
  const fail = (): Promise<never> =>
    Promise.reject(
      new ToolError(
        "tool_missing",
        `The tool "${name}" is not available any more. Do not call it again; use another tool, or tell the user.`,
      ),
    );
  return {
    name,
    kind: "other",
    description: () => description,
    parameters,
    limits: () => ({ bytes: serverLimits.answerBytes, keep: "head" }),
    parse: (input) => ({ ok: true, input, repaired: false }),
    target: () => name,
    access: () => [],
    locks: () => ({ paths: [], shell: false }),
    create: () => ({ preview: fail, run: fail }),
  };
}

/** Formats the answer to a call of a tool that does not exist. `names` = the tools the model received. */
export function formatUnknownTool(name: string, names: readonly string[]): string {
  const suggestion = findOfferedTool(name, names);
  const hint = suggestion === undefined ? "" : ` Use ${suggestion}.`;
  return `There is no tool "${name.slice(0, 60)}".${hint} The tools are: ${names.join(", ")}.`;
}
