/**
 * Finds the tool that a call is about: a tool of the prompt, or one of the catalogue, which is called through the toolbox
 * or by its own name. Everything after it (access, preview, locks, limits, guards) sees the found tool alone.
 */
import { isDeepStrictEqual } from "node:util";
import type { Block, Json } from "@/lib/events/content";
import type { ErrorCode } from "@/lib/events/error";
import { findBuiltinTool } from "@/server/tools/arguments/foreign-names";
import type { Tool } from "@/server/tools/core/tool";
import { formatUnknownTool } from "@/server/tools/core/tool-source";
import { explainObstacle } from "@/server/tools/toolbox/describe-obstacle";
import { explainCall, explainName, resolveDirectCall, suggestLongerName } from "@/server/tools/toolbox/find-tool";
import { readToolboxRequest } from "@/server/tools/toolbox/read-request";
import { resolveToolboxCall } from "@/server/tools/toolbox/resolve-call";
import { toolboxName } from "@/server/tools/toolbox/toolbox";
import type { AgentHost } from "../host";

type ResolvedCall =
  | { readonly kind: "tool"; readonly tool: Tool; readonly input: Json }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly text: string };

type FailedCall = Extract<ResolvedCall, { kind: "failed" }>;

type CallHost = Pick<AgentHost, "tools" | "catalogue">;

/** Returns the tools whose names a model may call: those of the prompt, and those of the catalogue. */
export function callableTools(host: CallHost): readonly Tool[] {
  const tools = host.tools();
  const { tools: listed } = host.catalogue();
  if (listed.length === 0) return tools;
  const names = new Set(tools.map(({ name }) => name));
  return [
    ...tools,
    ...listed.flatMap(({ name, obstacle, tool }) => (obstacle === null && !names.has(name) ? [tool] : [])),
  ];
}

export function resolveCall(host: CallHost, { name, input }: Extract<Block, { type: "call" }>): ResolvedCall {
  const tools = host.tools();
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return resolveByName(host, name, input);
  const catalogue = host.catalogue();
  if (tool.name !== toolboxName) {
    // A tool of another program that the prompt names itself, and that cannot be called now.
    const listed = findBuiltinTool(name) === name ? undefined : catalogue.tools.find((one) => one.name === name);
    const obstacle = explainCall(name, listed, catalogue);
    if (obstacle !== null) return { kind: "failed", ...obstacle };
    const suggestion =
      catalogue.tools.length === 0 || tool.parse(input).ok ? null : suggestLongerName(name, input, catalogue);
    if (suggestion === null) return { kind: "tool", tool, input };
    return { kind: "failed", code: "bad_input", text: `These arguments do not fit ${name}. ${suggestion}` };
  }
  // Everything but a call of a tool is a question, which the toolbox answers itself.
  if (readToolboxRequest(input, catalogue).kind !== "tool") return { kind: "tool", tool, input };
  const resolved = resolveToolboxCall(input, catalogue);
  return resolved.kind === "run"
    ? { kind: "tool", tool: resolved.tool.tool, input: resolved.input }
    : { kind: "tool", tool, input };
}

/** A call of a name that the prompt does not have. */
function resolveByName(host: CallHost, name: string, input: Json): ResolvedCall {
  const catalogue = host.catalogue();
  const direct = resolveDirectCall(name, catalogue);
  const obstacle = explainCall(name, direct, catalogue);
  if (obstacle !== null) return { kind: "failed", ...obstacle };
  if (direct !== undefined) return { kind: "tool", tool: direct.tool, input };
  const names = host.tools().map((one) => one.name);
  return { kind: "failed", code: "unknown_tool", text: formatUnknownTool(name, names) };
}

/**
 * Returns why a tool of another program, which was judged and approved, is not run after all; null = the catalogue still
 * leads to the same definition.
 */
export function findChange(host: Pick<CallHost, "catalogue">, { name, external }: Tool): FailedCall | null {
  const catalogue = host.catalogue();
  const now = catalogue.tools.find((one) => one.name === name);
  // Its call was resolved: the name is no other tool's, also if other agents have a tool of that name.
  const explained = now === undefined ? explainName(name, catalogue) : explainObstacle(now);
  if (explained !== null) return { kind: "failed", ...explained, text: `${name} was not run. ${explained.text}` };
  if (now === undefined)
    return {
      kind: "failed",
      code: "tool_missing",
      text: `${name} was not run: it is not offered any more. Do not call it again; use another tool, or tell the user.`,
    };
  return isDeepStrictEqual(now.tool.external, external)
    ? null
    : { kind: "failed", code: "tool_changed", text: `${name} changed in the meantime and was not run. Call it again.` };
}
