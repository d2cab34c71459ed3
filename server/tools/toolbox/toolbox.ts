/**
 * The toolbox tool leads to the tools of the catalogue. A call that names one is resolved to it before access, preview
 * and limits (`agent/tools/resolve-call.ts`); what runs here are the questions: for the catalogue, the parameters of a
 * tool, the tools of a source, and searches. Its schema is the same whatever the catalogue contains.
 */
import { isJsonObject, type Json } from "@/lib/events/content";
import { toolDescription } from "@/server/prompts/prompts";
import { type Tool, ToolError } from "../core/tool";
import type { ToolSource } from "../core/tool-source";
import { windowResultLimits, windowShareTokens } from "../core/window-share";
import { resolveToolboxCall } from "./resolve-call";
import { prepareSearch } from "./search-catalogue";

export const toolboxName = "toolbox";

/** The last source of a prompt: the toolbox ends the list of tools, also where there are tools of the catalogue before it. */
export const toolboxToolSource: ToolSource = { id: "toolbox", budgetTokens: null, tools: () => [toolboxTool] };

const maxTargetChars = 200;

const formatQuestion = (input: Json): string => {
  if (typeof input === "string") return input;
  if (!isJsonObject(input)) return "";
  const { tool, search } = input;
  return [tool, search].find((text) => typeof text === "string" && text.trim() !== "")?.toString() ?? "";
};

const toolboxTool: Tool = {
  name: toolboxName,
  kind: "lookup",
  description: (profile) => toolDescription(toolboxName, profile),
  parameters: {
    type: "object",
    properties: { tool: { type: "string" }, input: { type: "object" }, search: { type: "string" } },
  },
  limits: () => windowResultLimits,
  // Every input is a question: one that cannot be read gets the catalogue.
  parse: (input) => ({ ok: true, input, repaired: false }),
  target: (input) => formatQuestion(input).slice(0, maxTargetChars),
  access: () => [],
  locks: () => ({ paths: [], shell: false }),
  create({ catalogue, windowTokens }) {
    const answer = async (input: Json, signal: AbortSignal): Promise<string> => {
      const offered = catalogue();
      await prepareSearch(offered, signal);
      const resolved = resolveToolboxCall(input, offered, windowShareTokens(windowTokens));
      if (resolved.kind === "answer") return resolved.text;
      if (resolved.kind === "error") throw new ToolError(resolved.code, resolved.text);
      // It was not in the catalogue when the call began.
      throw new ToolError("tool_missing", `${resolved.tool.name} is available only now. Call it again.`);
    };
    return {
      // A call that fails gets no card.
      async preview(input, _call, signal) {
        await answer(input, signal);
        return { preview: { kind: "external", source: toolboxName, tool: toolboxName, input, description: "" } };
      },
      async run(input, _call, signal) {
        return { output: [{ type: "text", text: await answer(input, signal) }], facts: {} };
      },
    };
  },
};
