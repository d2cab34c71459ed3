/** A source of external tools for tests, whose tools the test changes while sessions run. */
import type { Json } from "@/lib/events/content";
import { asId, type Hash } from "@/lib/events/id";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";

const parameters: Json = {
  type: "object",
  properties: { title: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
  required: ["title"],
};

type ChangeableParts = Pick<CatalogueTool, "description" | "parameters" | "obstacle">;

export interface TestSource {
  readonly source: CatalogueSource;
  /** Inputs of the calls that ran. */
  readonly calls: readonly Json[];
  /** Changes the definition of all tools, as an update of the program does. */
  define(definition: string): void;
  /** Changes what is said of all tools, or why they cannot be called. */
  change(parts: Partial<ChangeableParts>): void;
  /** Replaces the tools. */
  offer(names: readonly string[]): void;
}

export function makeTestSource(
  id: string,
  names: readonly string[],
  description = "Creates an issue in a repository.",
): TestSource {
  const calls: Json[] = [];
  let changed: Partial<ChangeableParts> = {};
  const makeTool = (ownName: string, definition: string): CatalogueTool => {
    const parts = { description, parameters, obstacle: null, ...changed };
    const name = `${id}__${ownName}`;
    const tool = defineExternalTool({
      name,
      source: id,
      ownName,
      description: parts.description,
      parameters: parts.parameters,
      definition: asId<Hash>(definition),
      async run(input) {
        calls.push(input);
        return { output: [{ type: "text", text: `created ${JSON.stringify(input)}` }], facts: {} };
      },
    });
    return { name, source: id, ...parts, isPinned: false, tool };
  };
  let offered = names;
  let version = "v1";
  const make = (): readonly CatalogueTool[] => offered.toSorted().map((name) => makeTool(name, version));
  let tools = make();
  return {
    source: { id, instructions: "", tools: () => tools },
    calls,
    define(definition) {
      version = definition;
      tools = make();
    },
    change(parts) {
      changed = parts;
      tools = make();
    },
    offer(next) {
      offered = next;
      tools = make();
    },
  };
}
