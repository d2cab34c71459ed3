/** Catalogues for tests. */
import type { Json } from "@/lib/events/content";
import type { Tool } from "../core/tool";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { parseExternalArguments } from "./parse-external-arguments";
import { reduceSchema } from "./reduce-schema";

export interface TestTool extends Partial<Pick<CatalogueTool, "description" | "obstacle" | "isPinned">> {
  readonly name: string;
  /** JSON Schemas of the parameters. */
  readonly properties?: { readonly [name: string]: Json };
  readonly required?: readonly string[];
}

function makeTool(name: string, description: string, parameters: Json): Tool {
  return {
    name,
    kind: "other",
    description: () => description,
    parameters,
    limits: () => ({ bytes: 8_192, keep: "head" }),
    parse: (input) => parseExternalArguments({ name, parameters }, input),
    target: () => name,
    access: () => [],
    locks: () => ({ paths: [], shell: false }),
    create: () => ({ run: async () => ({ output: [], facts: {} }) }),
  };
}

function makeCatalogueTool(source: string, one: TestTool): CatalogueTool {
  const { name, description = "", obstacle = null, isPinned = false, properties = {}, required = [] } = one;
  const reduced = reduceSchema({ type: "object", properties, required });
  if (!reduced.ok) throw new Error(reduced.detail);
  const { parameters } = reduced;
  return { name, source, description, parameters, obstacle, isPinned, tool: makeTool(name, description, parameters) };
}

/** Makes the catalogue of these sources and their tools, in its order. */
export function makeTestCatalogue(
  tools: { readonly [source: string]: readonly TestTool[] },
  instructions: { readonly [source: string]: string } = {},
): Catalogue {
  const ids = Object.keys(tools).toSorted();
  return {
    sources: ids.map((id) => ({ id, instructions: instructions[id] ?? "" })),
    tools: ids.flatMap((id) =>
      (tools[id] ?? [])
        .map((one) => makeCatalogueTool(id, one))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    ),
  };
}

/** A catalogue of three sources as they are installed most often. */
export const commonCatalogue = makeTestCatalogue(
  {
    filesystem: [
      {
        name: "filesystem__read_text_file",
        description: "Read a text file. Lines are numbered.",
        properties: { path: { type: "string" }, head: { type: "number" } },
        required: ["path"],
      },
      {
        name: "filesystem__move_file",
        description: "Move or rename files.",
        properties: { source: { type: "string" }, destination: { type: "string" } },
        required: ["source", "destination"],
      },
      { name: "filesystem__list_allowed_directories", description: "Lists the folders it may use." },
    ],
    github: [
      {
        name: "github__create_issue",
        description: "Create an issue in a repository.",
        properties: {
          owner: { type: "string", description: "Owner of the repository." },
          repo: { type: "string" },
          title: { type: "string" },
          body: { type: "string" },
          labels: { type: "array", items: { type: "string" } },
        },
        required: ["owner", "repo", "title"],
      },
      {
        name: "github__list_issues",
        description: "List the issues of a repository.",
        properties: { state: { enum: ["open", "closed"] }, page: { type: "integer" } },
      },
      { name: "github__delete_repo", description: "Delete a repository.", obstacle: { kind: "off" } },
    ],
    skill: [{ name: "skill:pdf", description: "Fill in PDF forms. 填写表单。" }],
  },
  { github: "Search before you create." },
);
