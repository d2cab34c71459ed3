/** Decides what a call of the toolbox does: run a tool of the catalogue, or answer with what helps to call one. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { mapForeignCall } from "../arguments/foreign-calls";
import { findBuiltinTool } from "../arguments/foreign-names";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { renderCatalogue } from "./catalogue-text";
import { type ExplainedObstacle, explainObstacle } from "./describe-obstacle";
import { describeParameters } from "./describe-tool";
import { formatExampleCall, formatToolboxCall, shapesOf } from "./example-call";
import { explainName, findNearestTools, findSourceOfName, fitsTool, isMisspelled } from "./find-tool";
import { toOneLine } from "./foreign-text";
import { countPieceTokens } from "./line-tokens";
import { describeSource } from "./list-source";
import { parseExternalArguments } from "./parse-external-arguments";
import { escapeElements } from "./foreign-text";
import { readToolboxRequest, type ToolboxRequest } from "./read-request";
import { searchCatalogue } from "./search-catalogue";

type ResolvedToolboxCall =
  /** `input` is not parsed yet: the tool's `parse` does that. */
  | { readonly kind: "run"; readonly tool: CatalogueTool; readonly input: Json }
  | { readonly kind: "answer"; readonly text: string }
  | {
      readonly kind: "error";
      readonly code: "unknown_tool" | "bad_input" | ExplainedObstacle["code"];
      readonly text: string;
    };

const maxCatalogueTokens = 600;
const maxParametersTokens = 300;
const maxQuotedChars = 60;
/** A longer input is not repeated in an answer. */
const maxRepeatedChars = 400;
const emptyCatalogue = "No other tools are connected.";

/** Returns what a call of the toolbox does. `maxTokens` = of an answer, estimated; fewer where a form of answer has its own. */
export function resolveToolboxCall(
  input: Json,
  catalogue: Catalogue,
  maxTokens = Number.POSITIVE_INFINITY,
): ResolvedToolboxCall {
  const request = readToolboxRequest(input, catalogue);
  switch (request.kind) {
    case "catalogue":
      return answer(renderCatalogue(catalogue, Math.min(maxCatalogueTokens, maxTokens), () => false) ?? emptyCatalogue);
    case "search":
      return answer(searchCatalogue(catalogue, request.words, maxTokens));
    case "source":
      return answer(describeSource(catalogue, request.id, request.page, maxTokens));
    case "parameters":
    case "tool":
      return resolveTool(request, maxTokens);
    case "unknown":
      return answerUnknownName(request.name, request.input, catalogue);
    case "several": {
      const { first } = request;
      const call = first.kind === "tool" ? formatRightCall(first.tool, first.input) : formatAnyCall(catalogue);
      return { kind: "error", code: "bad_input", text: `Call one tool at a time, like this: ${call}` };
    }
    case "unreadable":
      return {
        kind: "error",
        code: "bad_input",
        text: `The input of toolbox is not readable. Call it like this: ${formatAnyCall(catalogue)}`,
      };
  }
}

/** Makes an answer in which texts of other programs cannot pass for a context block. */
const answer = (text: string): ResolvedToolboxCall => ({ kind: "answer", text: escapeElements(text) });

function resolveTool(
  request: Extract<ToolboxRequest, { kind: "parameters" | "tool" }>,
  maxTokens: number,
): ResolvedToolboxCall {
  const { tool } = request;
  const input = request.kind === "tool" ? (request.input ?? {}) : null;
  const obstacle = explainObstacle(tool);
  if (obstacle !== null) return { kind: "error", ...obstacle };
  const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
  const needsInput = [...shapesOf(tool).values()].some(({ required }) => required);
  return input === null || (isEmpty && needsInput)
    ? answer(describeCall(tool, maxTokens))
    : { kind: "run", tool, input };
}

/** Describes the parameters of a tool, with a call of it as an example. */
export function describeCall(tool: CatalogueTool, maxTokens: number): string {
  const call = `\nCall it like this: ${formatExampleCall(tool)}`;
  const room = Math.min(maxParametersTokens, maxTokens) - countPieceTokens(call);
  return `${describeParameters(tool, room)}${call}`;
}

/** The call with the input that was written if it fits, else with an example. */
function formatRightCall(tool: CatalogueTool, input: Json | undefined): string {
  const parsed = parseExternalArguments(tool, input ?? {});
  const call = parsed.ok ? formatToolboxCall({ tool: tool.name, input: parsed.input }) : "";
  return parsed.ok && call.length <= maxRepeatedChars ? call : formatExampleCall(tool);
}

function formatAnyCall({ tools }: Catalogue): string {
  const tool = tools.find(({ obstacle }) => obstacle === null);
  return tool === undefined ? 'toolbox {"search":"words"}' : formatExampleCall(tool);
}

function answerUnknownName(name: string, input: Json | undefined, catalogue: Catalogue): ResolvedToolboxCall {
  const direct = formatBuiltinCall(name, input);
  const quoted = JSON.stringify(toOneLine(name).slice(0, maxQuotedChars));
  if (direct !== null)
    return {
      kind: "error",
      code: "unknown_tool",
      text: `${quoted} is not a tool of the toolbox. Call it without the toolbox: ${direct}`,
    };
  const explained = explainName(name, catalogue);
  if (explained !== null) return { kind: "error", ...explained };
  const nearest = suggestNearest(name, input, catalogue);
  return { kind: "error", code: "unknown_tool", text: `There is no tool ${quoted}. ${nearest}` };
}

const nameList = new Intl.ListFormat("en-GB");

/** Tools of the source that the name begins with, if there is one; of all sources otherwise. */
function suggestNearest(name: string, input: Json | undefined, catalogue: Catalogue): string {
  const source = findSourceOfName(name, catalogue);
  const nearest = findNearestTools(name, catalogue, source);
  const [first, second] = nearest;
  if (first === undefined) return source === undefined ? emptyCatalogue : `No tool of ${source} can be called now.`;
  const names = nameList.format(nearest.map((tool) => tool.name));
  const likely = nearest.find((tool) => fitsTool(tool, input)) ?? first;
  const sentence = `${second === undefined ? "The nearest is" : "The nearest are"} ${names}.`;
  // A name without a known source and an input that fits no tool may mean another tool: no call is suggested.
  return source === undefined && !fitsTool(likely, input) && !isMisspelled(name, likely)
    ? `${sentence} Search for others like this: toolbox {"search":"words"}`
    : `${sentence} Call it like this: ${formatRightCall(likely, input)}`;
}

/** The call of a built-in tool whose name was given to the toolbox; null = it is the name of none. */
function formatBuiltinCall(name: string, input: Json | undefined): string | null {
  const builtin = findBuiltinTool(name);
  if (builtin === undefined) return null;
  const mapped = input === undefined ? null : mapForeignCall(name, input);
  const call = mapped === null ? "" : `${mapped.name} ${JSON.stringify(mapped.input)}`;
  return call !== "" && call.length <= maxRepeatedChars ? call : `${builtin} {...}`;
}
