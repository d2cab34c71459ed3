/** Builds a tool of the web: it declares the hosts it reaches, so that rules for hosts decide. */
import type { Json } from "@/lib/events/content";
import type { Tool, ToolDependencies, ToolResult } from "@/server/tools/core/tool";
import { windowResultLimits } from "@/server/tools/core/window-share";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";

interface WebToolOptions<I> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema object in the subset of `parameter-shapes.ts`. */
  readonly parameters: Json;
  /** Reads the input, which fits the parameters; a problem is a sentence for the model. */
  read(input: Json): { readonly value: I } | { readonly problem: string };
  /** Returns the subject of the call, in one line. */
  target(input: I): string;
  /** Hosts that get something; the card proposes a rule for the first. */
  hosts(input: I): readonly string[];
  /** Returns the text of the model that they get. */
  sent(input: I): string;
  /** The whole address, if the model chose it. */
  url?(input: I): string;
  /** Throws ToolError if the call cannot succeed. */
  check?(input: I): void;
  /** Throws only ToolError. */
  run(input: I, dependencies: Pick<ToolDependencies, "vision" | "storeBlob">, signal: AbortSignal): Promise<ToolResult>;
  readonly shortenFacts?: Tool["shortenFacts"];
}

export function defineWebTool<I>(options: WebToolOptions<I>): CatalogueTool {
  const { name, description, parameters, shortenFacts } = options;
  const read = (input: Json): I => {
    const found = options.read(input);
    if ("problem" in found) throw new Error(found.problem);
    return found.value;
  };
  const tool: Tool = {
    name,
    kind: "other",
    description: () => description,
    parameters,
    limits: () => windowResultLimits,
    parse(input) {
      const parsed = parseExternalArguments({ name, parameters }, input);
      if (!parsed.ok) return parsed;
      const found = options.read(parsed.input);
      return "problem" in found ? { ok: false, messageForModel: found.problem } : parsed;
    },
    target: (input) => options.target(read(input)),
    // A request of these tools reads, also where a search engine wants it as POST. The last of equal decisions counts.
    access: (input) =>
      options
        .hosts(read(input))
        .map((host) => ({ kind: "net" as const, host, method: "GET", sent: options.sent(read(input)) }))
        .toReversed(),
    locks: () => ({ paths: [], shell: false }),
    ...(shortenFacts === undefined ? {} : { shortenFacts }),
    create: (dependencies) => ({
      async preview(input) {
        const value = read(input);
        options.check?.(value);
        const url = options.url?.(value);
        const request = { hosts: options.hosts(value), ...(url === undefined ? {} : { url }) };
        return { preview: { kind: "external", source: ownSourceIds.web, tool: name, input, description: "", request } };
      },
      run: (input, _call, signal) => options.run(read(input), dependencies, signal),
    }),
  };
  return { name, source: ownSourceIds.web, description, parameters, obstacle: null, isPinned: false, tool };
}
