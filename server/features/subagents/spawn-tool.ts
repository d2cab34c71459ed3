/** The tool `spawn`, as a source of the catalogue. */
import { catalogueToolDescription } from "@/server/prompts/prompts";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import { spawnToolName } from "@/lib/tools/subagents";
import { subagentId } from "@/server/session/loading/registry";
import type { Tool } from "@/server/tools/core/tool";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { firstSentence } from "@/server/tools/toolbox/foreign-text";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";
import type { Subagents, SubagentTask } from "./subagents";

const parameters: Json = {
  type: "object",
  properties: {
    task: { type: "string", description: "The whole task; it knows nothing of this conversation" },
    look: { type: "boolean", description: "true (default): only reads; false: may change files" },
  },
  required: ["task"],
};
const spawnInput = z.object({ task: z.string(), look: z.optional(z.boolean()) });
const maxTargetChars = 200;

const readTask = (input: Json): SubagentTask => {
  const { task, look = true } = spawnInput.parse(input);
  return { task, looks: look };
};

export function makeSpawnSource(subagents: Subagents): CatalogueSource {
  const entry: CatalogueTool = {
    name: spawnToolName,
    source: ownSourceIds.subagent,
    description: catalogueToolDescription(spawnToolName),
    parameters,
    obstacle: null,
    minWindow: serverLimits.subagentMinWindow,
    isPinned: false,
    tool: makeSpawnTool(subagents),
  };
  const offered = [entry];
  return { id: ownSourceIds.subagent, instructions: "", tools: () => offered };
}

function makeSpawnTool(subagents: Subagents): Tool {
  return {
    name: spawnToolName,
    kind: "agent",
    description: () => firstSentence(catalogueToolDescription(spawnToolName), serverLimits.nativeDescriptionChars),
    parameters,
    limits: () => ({ bytes: serverLimits.readBytes, keep: "both" }),
    parse(input) {
      const parsed = parseExternalArguments({ name: spawnToolName, parameters }, input);
      if (!parsed.ok || readTask(parsed.input).task.trim() !== "") return parsed;
      return { ok: false, messageForModel: 'Give the task, as in spawn {"task":"Find where the cart is saved"}.' };
    },
    target: (input) => readTask(input).task.trim().slice(0, maxTargetChars),
    facts: (_input, _settings, id) => ({ subagent: subagentId(id) }),
    access: (input) => [
      { kind: "agent", source: ownSourceIds.subagent, tool: spawnToolName, looks: readTask(input).looks },
    ],
    locks: () => ({ paths: [], shell: false }),
    create: () => ({
      async preview(input, call) {
        subagents.check(call);
        const signature = `${spawnToolName}(task, look?)`;
        return {
          preview: {
            kind: "external",
            source: ownSourceIds.subagent,
            tool: spawnToolName,
            input,
            description: "",
            signature,
          },
        };
      },
      run: (input, call, signal) => subagents.run(readTask(input), call, signal),
    }),
  };
}
