/** The tools of an approved server: as entries of the catalogue, and as the settings show them. */
import * as z from "zod/mini";
import type { Steps } from "@/lib/async/steps";
import type { Json } from "@/lib/events/content";
import { asId, type Hash } from "@/lib/events/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { McpToolView } from "@/lib/tools/mcp";
import {
  canonicalDefinition,
  type ListedTool,
  type StoredTool,
  storedToolState,
  type ToolDefinition,
} from "@/lib/tools/tool-definitions";
import { computeHash } from "@/server/base/id";
import { weakMemo } from "@/server/base/weak-memo";
import type { ApprovedSource } from "@/server/store/access/tool-sources";
import type { ExternalCall, ToolDependencies, ToolResult } from "@/server/tools/core/tool";
import type { CatalogueTool, UnlistedSource } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";
import { type ReducedSchema, reducedVersion, reduceSchema } from "@/server/tools/toolbox/reduce-schema";
import { nameTools } from "@/server/tools/toolbox/tool-name";

/** Runs a call of a tool by its own name. Throws only ToolError. */
export type RunExternalCall = (
  ownName: string,
  definition: Hash,
  input: Json,
  call: ExternalCall,
  dependencies: Pick<ToolDependencies, "vision" | "storeBlob">,
  signal: AbortSignal,
) => Promise<ToolResult>;

const noParameters: Json = { type: "object", properties: {} };

const reducedForms = new WeakMap<ToolDefinition, ReducedSchema>();

function reduce(definition: ToolDefinition): ReducedSchema {
  const existing = reducedForms.get(definition);
  if (existing !== undefined) return existing;
  const { parameters, unusable } = definition;
  const reduced: ReducedSchema = unusable === undefined ? reduceSchema(parameters) : { ok: false, detail: unusable };
  reducedForms.set(definition, reduced);
  return reduced;
}

const hashesByLaunch = weakMemo((_definition: ToolDefinition) => new Map<Hash, Hash>());

/** Hash of how the server is started and of everything it says of the tool. */
export function definitionHash({ launch }: Pick<ApprovedSource, "launch">, definition: ToolDefinition): Hash {
  const hashes = hashesByLaunch(definition);
  const hash = hashes.get(launch) ?? computeHash(`${launch}\n${canonicalDefinition(definition)}`);
  hashes.set(launch, hash);
  return hash;
}

/** Stored beside an approved definition of a source with that launch: what would take long to compute at each start. */
export function makeNote(launch: Hash, definition: ToolDefinition): Json {
  const reduced = reduce(definition);
  const hash = definitionHash({ launch }, definition);
  return {
    version: reducedVersion,
    hash,
    ...(reduced.ok ? { parameters: reduced.parameters } : { detail: reduced.detail }),
  };
}

const noteSchema = z.union([
  z.object({ version: z.literal(reducedVersion), hash: z.string(), detail: z.string() }),
  z.object({
    version: z.literal(reducedVersion),
    hash: z.string(),
    parameters: z.custom<Json>((value) => value !== undefined),
  }),
]);

/** Takes what is stored beside the definitions; false = some of it is missing, or of another version. */
export function takeNotes(
  { launch, tools }: Pick<ApprovedSource, "launch" | "tools">,
  noteOf: (definition: ToolDefinition) => Json | undefined,
): boolean {
  let isComplete = true;
  for (const { approved } of tools) {
    if (approved === null) continue;
    const { data: note } = noteSchema.safeParse(noteOf(approved));
    if (note === undefined) {
      isComplete = false;
      continue;
    }
    hashesByLaunch(approved).set(launch, asId<Hash>(note.hash));
    reducedForms.set(
      approved,
      "detail" in note ? { ok: false, detail: note.detail } : { ok: true, parameters: note.parameters },
    );
  }
  return isComplete;
}

/** Computes what is stored beside the definitions of a list that is approved, one in a step. */
export function* readListed(launch: Hash, listed: readonly ListedTool[]): Steps<void> {
  for (const { definition } of listed) {
    makeNote(launch, definition);
    yield;
  }
}

/** Whether the file of a server admits a tool, by its name at the server. */
type Admits = (ownName: string) => boolean;

/** Computes what the entries of the catalogue need of each tool, so that making them does not hold the server. */
export function* readDefinitions(source: ApprovedSource, admits: Admits): Steps<void> {
  for (const tool of source.tools) {
    if (!admits(tool.ownName)) continue;
    storedToolState(tool);
    if (tool.approved === null) continue;
    reduce(tool.approved);
    definitionHash(source, tool.approved);
    yield;
  }
}

/** Returns the hash that an approval of a tool as it is shown is bound to. */
export const shownHash = (source: Pick<ApprovedSource, "launch">, { current }: StoredTool): Hash =>
  current === null ? computeHash(`${source.launch}\ngone`) : definitionHash(source, current);

/**
 * Names of the tools in the catalogue, in the order of `tools`. Neither tools that wait for an approval nor those that the
 * file does not admit change the names of the others when that changes.
 */
function cataloguedNames(id: string, tools: readonly StoredTool[]): readonly string[] {
  const approved = tools.flatMap((tool) => (tool.approved === null ? [] : [tool.ownName]));
  const own = tools.map(({ ownName }) => ownName);
  const approvedNames = nameTools(id, approved);
  if (approved.length === own.length) return approvedNames;
  const names = new Map(approved.map((ownName, index) => [ownName, approvedNames[index] ?? ownName]));
  const all = nameTools(id, own);
  return own.map((ownName, index) => names.get(ownName) ?? all[index] ?? ownName);
}

/** Returns the entries of the catalogue. A tool that was never approved has none. */
export function makeCatalogueTools(
  id: string,
  source: ApprovedSource,
  admits: Admits,
  run: RunExternalCall,
): readonly CatalogueTool[] {
  const names = cataloguedNames(id, source.tools);
  return source.tools.flatMap((stored, index): readonly CatalogueTool[] => {
    const { ownName, isPinned } = stored;
    const name = names[index] ?? ownName;
    const definition = stored.approved;
    if (definition === null || !admits(ownName)) return [];
    const { description } = definition;
    const reduced = reduce(definition);
    const hash = definitionHash(source, definition);
    const parameters = reduced.ok ? reduced.parameters : noParameters;
    const tool = defineExternalTool({
      name,
      source: id,
      ownName,
      description,
      parameters,
      definition: hash,
      run: (input, call, dependencies, signal) => run(ownName, hash, input, call, dependencies, signal),
    });
    const status = storedToolState(stored);
    const obstacle: CatalogueTool["obstacle"] =
      status === "off" || status === "changed" || status === "gone"
        ? { kind: status }
        : reduced.ok
          ? null
          : { kind: "unusable", detail: reduced.detail };
    return [{ name, source: id, description, parameters, obstacle, isPinned, tool }];
  });
}

/** Returns the tools that are no entries of the catalogue: those that wait for an approval, and those the file leaves out. */
export function listUnlistedTools(id: string, { tools }: ApprovedSource, admits: Admits): UnlistedSource["tools"] {
  const names = cataloguedNames(id, tools);
  return tools.flatMap(({ ownName, approved }, index): UnlistedSource["tools"] => {
    const name = names[index] ?? ownName;
    if (!admits(ownName))
      return [{ name, obstacle: { kind: "unusable", detail: "the file of its server leaves it out" } }];
    return approved === null ? [{ name, obstacle: { kind: "unapproved" } }] : [];
  });
}

/** Returns the tools as the settings show them. */
export function viewTools(id: string, source: ApprovedSource, admits: Admits): readonly McpToolView[] {
  const { tools } = source;
  const names = cataloguedNames(id, tools);
  return tools.flatMap((stored, index): readonly McpToolView[] => {
    const { ownName, approved, current, isPinned } = stored;
    if (!admits(ownName)) return [];
    const definition = current ?? approved ?? { description: "", parameters: noParameters };
    const reduced = reduce(definition);
    const name = names[index] ?? ownName;
    const status = storedToolState(stored);
    const schema = { name, description: definition.description, parameters: reduced.ok ? reduced.parameters : {} };
    return [
      {
        name,
        ownName,
        status: reduced.ok || status === "gone" ? status : "unusable",
        ...(reduced.ok ? {} : { detail: reduced.detail }),
        definition,
        hash: shownHash(source, stored),
        ...(status === "changed" && approved !== null ? { approved } : {}),
        isPinned,
        tokens: estimateTokens(JSON.stringify(schema)),
      },
    ];
  });
}
