/** The tools `remember` and `recall`, as a source of the catalogue. */
import { catalogueToolDescription } from "@/server/prompts/prompts";
import * as z from "zod/mini";
import { type AgentError, anyFacts, type ErrorCode } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { ProjectId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { generalMemoryName, projectMemoryName, recallToolName, rememberToolName } from "@/lib/tools/memory";
import { type Tool, ToolError } from "@/server/tools/core/tool";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { firstSentence } from "@/server/tools/toolbox/foreign-text";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";
import { addNote } from "./edit-notes";
import { recall, type RecallOptions } from "./recall";
import { rememberedMaxChars } from "./remembered-line";

const rememberParameters: Json = {
  type: "object",
  properties: {
    text: { type: "string", description: `One fact in one line, at most ${rememberedMaxChars} characters` },
    where: {
      type: "string",
      enum: ["project", "general"],
      description: "project (default), or general for all projects",
    },
    replaces: { type: "string", description: "Text of the note it replaces" },
  },
  required: ["text"],
};
const rememberInput = z.object({
  text: z.string(),
  where: z.optional(z.enum(["project", "general"])),
  replaces: z.optional(z.string()),
});

const recallParameters: Json = {
  type: "object",
  properties: { query: { type: "string", description: "Words to find" } },
  required: ["query"],
};
const recallInput = z.object({ query: z.string() });

interface MemoryToolOptions extends RecallOptions {
  /** Today as `yyyy-mm-dd`. */
  today(): string;
  /** The memory is in use: it is switched on, and one of its files exists. */
  isInUse(): boolean;
}

/** Tools without an effect outside the memory; only a change of the memory is decided on. */
const makeTool = (
  parts: Pick<Tool, "name" | "parameters" | "target" | "access" | "create">,
  description: string,
): Tool => ({
  kind: "other",
  description: () => firstSentence(description, serverLimits.nativeDescriptionChars),
  limits: () => ({ bytes: serverLimits.answerBytes, keep: "both" }),
  parse: (input) => parseExternalArguments(parts, input),
  locks: () => ({ paths: [], shell: false }),
  ...parts,
});

export function makeMemorySource(options: MemoryToolOptions): CatalogueSource {
  const lists = new Map<ProjectId, readonly CatalogueTool[]>();
  const none: readonly CatalogueTool[] = [];
  return {
    id: ownSourceIds.memory,
    instructions: "",
    tools(projectId) {
      if (!options.isInUse()) return none;
      const list = lists.get(projectId) ?? makeTools(options, projectId);
      lists.set(projectId, list);
      return list;
    },
  };
}

const makeTools = (options: MemoryToolOptions, projectId: ProjectId): readonly CatalogueTool[] =>
  [makeRecall(options, projectId), makeRemember(options, projectId)].map((tool) => ({
    name: tool.name,
    source: ownSourceIds.memory,
    description: catalogueToolDescription(tool.name),
    parameters: tool.parameters,
    obstacle: null,
    isPinned: false,
    tool,
  }));

function makeRecall(options: MemoryToolOptions, projectId: ProjectId): Tool {
  const queryOf = (input: Json): string => recallInput.parse(input).query;
  return makeTool(
    {
      name: recallToolName,
      parameters: recallParameters,
      target: queryOf,
      access: () => [],
      create: () => ({
        async run(input, _call, signal) {
          const text = await recall(options, projectId, queryOf(input), signal);
          if (text === null) throw new ToolError("bad_input", 'Give words to find, as in recall {"query":"deploy"}.');
          return { output: [{ type: "text", text }], facts: {} };
        },
      }),
    },
    catalogueToolDescription(recallToolName),
  );
}

const failureTexts: Partial<Record<ErrorCode, string>> = {
  bad_input: "The text is empty. Give one fact in one line.",
  too_large: `Not stored: a note has at most ${rememberedMaxChars} characters, and a file of notes is limited. Shorten the text, or ask the user to tidy up the memory in Settings.`,
  no_match: "No note contains the text in replaces. Call recall to find it, or leave replaces out.",
};

/** One sentence with what to do; where notes are named, one of them can be given. */
function describeFailure(error: AgentError): string {
  const { code } = error;
  const { notes: named = [] } = anyFacts(error);
  const notes = named.map((note) => JSON.stringify(note)).join(", ");
  if (code === "ambiguous") return `Several notes contain the text in replaces; give one of them whole: ${notes}.`;
  if (code === "no_match" && notes !== "")
    return `No note contains the text in replaces; give one of the nearest, or leave replaces out: ${notes}.`;
  return failureTexts[code] ?? "The note could not be stored.";
}

function makeRemember({ files, today }: MemoryToolOptions, projectId: ProjectId): Tool {
  const nameOf = (where: "project" | "general" = "project"): string =>
    where === "general" ? generalMemoryName : projectMemoryName(projectId);
  return makeTool(
    {
      name: rememberToolName,
      parameters: rememberParameters,
      target: (input) => rememberInput.parse(input).text.slice(0, rememberedMaxChars),
      access: (input) => [{ kind: "memory", allProjects: rememberInput.safeParse(input).data?.where === "general" }],
      create: () => ({
        async preview(input) {
          const parameters = `${rememberToolName}(text, where?, replaces?)`;
          const described = { description: "", signature: parameters };
          return {
            preview: { kind: "external", source: ownSourceIds.memory, tool: rememberToolName, input, ...described },
          };
        },
        async run(input) {
          const { text, where, replaces } = rememberInput.parse(input);
          const name = nameOf(where);
          const added = await files.edit(name, (notes) => {
            const change = addNote(notes, { text, ...(replaces === undefined ? {} : { replaces }) }, today());
            return change.ok ? { ok: true, value: { text: change.value.text, value: change.value.change } } : change;
          });
          if (!added.ok) throw new ToolError(added.error.code, describeFailure(added.error));
          const change = added.value;
          if (change === null) return { output: [{ type: "text", text: "This is remembered already." }], facts: {} };
          const { line, replaced, replacedAt } = change;
          const output = `Remembered: ${line}${replaced === undefined ? "" : `\nReplaced: ${replaced}`}`;
          const undo = {
            ...(replaced === undefined ? {} : { memoryReplaced: replaced }),
            ...(replacedAt === undefined ? {} : { memoryReplacedAt: replacedAt }),
          };
          return { output: [{ type: "text", text: output }], facts: { memoryFile: name, memoryLine: line, ...undo } };
        },
      }),
    },
    catalogueToolDescription(rememberToolName),
  );
}
