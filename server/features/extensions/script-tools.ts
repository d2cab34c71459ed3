/** The tools of extensions as sources of the catalogue. */
import type { Json } from "@/lib/events/content";
import type { Hash, ProjectId } from "@/lib/events/id";
import { computeHash } from "@/server/base/id";
import { weakMemo } from "@/server/base/weak-memo";
import { ToolError, type ToolResult } from "@/server/tools/core/tool";
import type { CatalogueSource, CatalogueTool, Obstacle, UnlistedSource } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";
import { ownSourceIds } from "@/lib/tools/own-sources";
import type { ScriptTool } from "./definition/read-definition";
import type { Extensions, ProjectExtensions, StatedExtension } from "./extensions";
import { startError, toScriptOutput } from "./script-output";
import { toolPayload } from "./script-payload";
import type { ScriptRuns } from "./script-runs";

/** The name by which the model calls a tool of an extension. */
export const scriptToolName = (extension: string, tool: string): string => `${extension}__${tool}`;

const usable: ReadonlySet<StatedExtension["status"]> = new Set(["on", "changed"]);

/** Extensions whose tools are in the catalogue: those enabled, also if they changed since. */
const listed = ({ places }: ProjectExtensions): readonly StatedExtension[] =>
  places.flatMap(({ extensions }) => extensions.filter(({ status }) => usable.has(status)));

/** Hash of a tool's definition and of all files of its extension. */
const definitionHash = ({ hash }: StatedExtension, { name, description, parameters, run }: ScriptTool): Hash =>
  computeHash(JSON.stringify([hash, name, description, parameters, run]));

interface ScriptSources {
  /** One for each extension with tools, in any project that was read. */
  sources(): readonly CatalogueSource[];
  /** The extensions of a project were read. */
  add(projectId: ProjectId): void;
}

export function makeScriptSources(extensions: Extensions, runs: ScriptRuns): ScriptSources {
  const bySource = new Map<string, CatalogueSource>();
  const none: readonly CatalogueTool[] = [];
  const toolsOf = weakMemo((read: ProjectExtensions) => {
    const tools = new Map<string, readonly CatalogueTool[]>();
    for (const extension of listed(read)) tools.set(extension.name, makeTools(extension, read, runs));
    return tools;
  });
  const makeSource = (id: string): CatalogueSource => ({
    id,
    instructions: "",
    tools(projectId) {
      const read = extensions.peek(projectId);
      return read === null ? none : (toolsOf(read).get(id) ?? none);
    },
  });
  const projects = new Set<ProjectId>();
  /** Reads the extensions of a project; it is a source without tools, since the others are not named before. */
  const reader: CatalogueSource = {
    id: ownSourceIds.extensions,
    instructions: "",
    tools: () => none,
    unlisted(projectId) {
      const read = extensions.peek(projectId);
      return read === null ? [] : describeUnlisted(read);
    },
    async prepare(projectId, signal) {
      projects.add(projectId);
      await extensions.refresh(projectId, signal);
    },
  };
  return {
    add: (projectId) => void projects.add(projectId),
    sources() {
      for (const projectId of projects) {
        const read = extensions.peek(projectId);
        for (const name of read === null ? [] : toolsOf(read).keys())
          if (!bySource.has(name)) bySource.set(name, makeSource(name));
      }
      return [reader, ...bySource.values()];
    },
  };
}

/** The extensions that a project has without listing their tools. */
function describeUnlisted({ places }: ProjectExtensions): readonly UnlistedSource[] {
  const unlisted: Readonly<Partial<Record<StatedExtension["status"], Obstacle>>> = {
    off: { kind: "off" },
    gone: { kind: "gone" },
    unusable: { kind: "unusable", detail: "its files have a problem, which the settings show" },
  };
  return places.flatMap(({ extensions }) =>
    extensions.flatMap(({ name, status }): readonly UnlistedSource[] => {
      const obstacle = unlisted[status];
      return obstacle === undefined ? [] : [{ id: name, page: "Extensions", obstacle, tools: [] }];
    }),
  );
}

function makeTools(extension: StatedExtension, project: ProjectExtensions, runs: ScriptRuns): readonly CatalogueTool[] {
  const obstacle: CatalogueTool["obstacle"] = extension.status === "on" ? null : { kind: "changed" };
  return extension.definition.tools
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((tool): CatalogueTool => {
      const { name: ownName, parameters } = tool;
      // The model gets no changed description before the user has seen it.
      const description = obstacle === null ? tool.description : "";
      const name = scriptToolName(extension.name, ownName);
      return {
        name,
        source: extension.name,
        description,
        parameters,
        obstacle,
        isPinned: false,
        tool: defineExternalTool({
          name,
          source: extension.name,
          ownName,
          description,
          parameters,
          definition: definitionHash(extension, tool),
          run: (input, call, dependencies, signal) =>
            runTool({ extension, project, tool, runs }, input, { call, dependencies }, signal),
        }),
      };
    });
}

interface BoundTool {
  readonly extension: StatedExtension;
  readonly project: ProjectExtensions;
  readonly tool: ScriptTool;
  readonly runs: ScriptRuns;
}

type RunArguments = Parameters<Parameters<typeof defineExternalTool>[0]["run"]>;

async function runTool(
  { extension, project, tool, runs }: BoundTool,
  input: Json,
  { call, dependencies }: { readonly call: RunArguments[1]; readonly dependencies: RunArguments[2] },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { name, timeoutMs, run } = tool;
  const caller = { extension: extension.name, sessionId: call.id?.sessionId ?? null, project: project.root };
  const result = await runs.run(
    { extension, project, run, title: `tool ${name}`, input: toolPayload(caller, name, input), timeoutMs },
    signal,
  );
  if (!result.ok && result.error.code === "changed_meanwhile")
    throw new ToolError(
      "changed_meanwhile",
      `${name} was not run: files of the extension ${extension.name} changed. The user has to look at them in the settings first.`,
    );
  if (!result.ok) throw startError(name, result.error);
  return toScriptOutput(result.value, { source: extension.name, tool: name, timeoutMs, dependencies }, signal);
}
