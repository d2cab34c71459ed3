/** Builds a tool whose calls another program runs: judged by its reduced parameters, approved as it is defined now. */
import type { Json } from "@/lib/events/content";
import type { Hash } from "@/lib/events/id";
import type { ExternalRequest } from "@/lib/events/tool-kind";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ExternalCall, ResultLimits, Tool, ToolDependencies, ToolResult } from "../core/tool";
import { signatureOf } from "./describe-tool";
import { firstSentence } from "./foreign-text";
import { parseExternalArguments } from "./parse-external-arguments";

interface ExternalToolOptions {
  /** As in the catalogue. */
  readonly name: string;
  readonly source: string;
  /** The tool's own name at its source. */
  readonly ownName: string;
  /** In the words of its source. */
  readonly description: string;
  /** JSON Schema object in the subset of `parameter-shapes.ts`. */
  readonly parameters: Json;
  /** Hash of everything the source says of the tool. */
  readonly definition: Hash;
  /** The request that a call sends, for its card. Throws ToolError if the call cannot succeed. */
  request?(input: Json): ExternalRequest;
  /** Runs a call. Throws only ToolError. */
  run(
    input: Json,
    call: ExternalCall,
    dependencies: Pick<ToolDependencies, "vision" | "storeBlob">,
    signal: AbortSignal,
  ): Promise<ToolResult>;
}

const maxTargetChars = 200;

/** Limits of the results of all such tools. */
export const externalResultLimits: ResultLimits = { bytes: serverLimits.answerBytes, keep: "both" };

/** The first text of the input, in one line, for the line of the call. */
function formatInput(input: Json): string {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [input];
  const text = values.find((value) => typeof value === "string" && value.trim() !== "");
  return (typeof text === "string" ? text : values.length === 0 ? "" : JSON.stringify(input)).slice(0, maxTargetChars);
}

export function defineExternalTool(options: ExternalToolOptions): Tool {
  const { name, source, ownName, description, parameters, definition } = options;
  const external = { kind: "external", source, tool: ownName, definition } as const;
  const create: Tool["createTrial"] = (dependencies) => ({
    preview: async (input) => ({
      preview: {
        kind: "external",
        source,
        tool: ownName,
        input,
        description,
        signature: signatureOf({ name: ownName, parameters }),
        ...(options.request === undefined ? {} : { request: options.request(input) }),
      },
    }),
    run: (input, call, signal) => options.run(input, call, dependencies, signal),
  });
  return {
    name,
    kind: "other",
    description: () => firstSentence(description, serverLimits.nativeDescriptionChars),
    parameters,
    limits: () => externalResultLimits,
    parse: (input) => parseExternalArguments({ name, parameters }, input),
    target: formatInput,
    access: () => [external],
    external,
    locks: () => ({ paths: [], shell: false }),
    create,
    createTrial: create,
  };
}
