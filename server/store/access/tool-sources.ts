/** Sources of external tools that the user approved: how they are started, and their tools as approved and as they are. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { StoredTool, ToolDefinition } from "@/lib/tools/tool-definitions";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors } from "../core/store-error";

export interface ToolSourceKey {
  /** mcp_in_project = a server of the home's file as it is in one project, where its tools are others. */
  readonly kind: "mcp" | "mcp_in_project" | "openapi" | "extension";
  /** The project whose file names it, or in which it is so; null = the home's. */
  readonly projectId: ProjectId | null;
  readonly name: string;
}

export interface ApprovedSource {
  /** Hash of how it is started or reached. */
  readonly launch: Hash;
  readonly instructions: string;
  /** Ordered by name. */
  readonly tools: readonly StoredTool[];
}

/** Throws StoreError. */
export interface ToolSourceStore {
  /** Names of the sources of a kind, so that those of another kind get other ids. */
  names(kind: ToolSourceKey["kind"]): readonly string[];
  /** null = never approved, or what is stored cannot be read: it is approved again. The same object until it changes. */
  get(key: ToolSourceKey): ApprovedSource | null;
  /** `noteOf` returns what is stored beside an approved definition, such as what was computed from it. */
  save(key: ToolSourceKey, source: ApprovedSource, noteOf?: (definition: ToolDefinition) => Json): void;
  /** Returns the note that was stored beside an approved definition that `get` has read; undefined = none. */
  note(definition: ToolDefinition): Json | undefined;
  remove(key: ToolSourceKey): void;
  /** Returns the keys of the sources of one kind and name, ordered by project. */
  named(kind: ToolSourceKey["kind"], name: string): readonly ToolSourceKey[];
}

type SourceRow = Omit<ApprovedSource, "tools"> & { readonly tools: string };

/** Any value of parsed JSON is JSON: to walk through the schemas of all tools would hold the event loop. */
const parsedJson = z.custom<Json>((value) => value !== undefined);
const definition = z.nullable(
  z.object({ description: z.string(), parameters: parsedJson, unusable: z.optional(z.string()) }),
);
/** In place of the present definition of a tool: it is the approved one. */
const asApproved = "approved";
const storedTools = z.array(
  z.object({
    ownName: z.string(),
    approved: definition,
    current: z.union([z.literal(asApproved), definition]),
    isOff: z.boolean(),
    isPinned: z.boolean(),
    note: z.optional(parsedJson),
  }),
);

function writeTools({ tools }: ApprovedSource, noteOf: ((definition: ToolDefinition) => Json) | undefined): string {
  const stored = tools.map((tool) => {
    const { approved, current } = tool;
    if (approved === null) return tool;
    const isSame = approved === current || JSON.stringify(approved) === JSON.stringify(current);
    return {
      ...tool,
      ...(isSame ? { current: asApproved } : {}),
      ...(noteOf === undefined ? {} : { note: noteOf(approved) }),
    };
  });
  return JSON.stringify(stored);
}

export const createToolSources = (database: Database.Database): ToolSourceStore => {
  const select = database.prepare<[string, string, string], SourceRow>(
    "SELECT launch, instructions, tools FROM tool_sources WHERE kind = ? AND project_id = ? AND name = ?",
  );
  const write = database.prepare<[string, string, string, Hash, string, string]>(
    `INSERT INTO tool_sources (kind, project_id, name, launch, instructions, tools) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET launch = excluded.launch, instructions = excluded.instructions, tools = excluded.tools`,
  );
  const drop = database.prepare<[string, string, string]>(
    "DELETE FROM tool_sources WHERE kind = ? AND project_id = ? AND name = ?",
  );
  const listProjects = database
    .prepare<[string, string], ProjectId | "">(
      "SELECT project_id FROM tool_sources WHERE kind = ? AND name = ? ORDER BY project_id",
    )
    .pluck();
  const list = database.prepare<[string], { readonly name: string }>("SELECT name FROM tool_sources WHERE kind = ?");
  const columns = ({ kind, projectId, name }: ToolSourceKey): [string, string, string] => [kind, projectId ?? "", name];
  // Read for every request to a model; this store is the only writer of the table.
  const cache = new Map<string, ApprovedSource | null>();
  const cacheKey = (key: ToolSourceKey): string => JSON.stringify(columns(key));
  const notes = new WeakMap<ToolDefinition, Json>();
  return {
    names: (kind) => withStoreErrors(database.name, () => list.all(kind)).map(({ name }) => name),
    get(key) {
      const cached = cache.get(cacheKey(key));
      if (cached !== undefined) return cached;
      const row = withStoreErrors(database.name, () => select.get(...columns(key)));
      const source = row === undefined ? null : readSource(row, notes);
      cache.set(cacheKey(key), source);
      return source;
    },
    save(key, source, noteOf) {
      const { launch, instructions } = source;
      const tools = writeTools(source, noteOf);
      withStoreErrors(database.name, () => write.run(...columns(key), launch, instructions, tools));
      cache.set(cacheKey(key), source);
    },
    note: (approved) => notes.get(approved),
    remove(key) {
      withStoreErrors(database.name, () => drop.run(...columns(key)));
      cache.set(cacheKey(key), null);
    },
    named: (kind, name) =>
      withStoreErrors(database.name, () => listProjects.all(kind, name)).map((projectId) => ({
        kind,
        projectId: projectId === "" ? null : projectId,
        name,
      })),
  };
};

function readSource(
  { launch, instructions, tools }: SourceRow,
  notes: WeakMap<ToolDefinition, Json>,
): ApprovedSource | null {
  const read = storedTools.safeParse(parseJson(tools));
  if (!read.success) return null;
  return {
    launch,
    instructions,
    tools: read.data.map(({ note, current, ...tool }) => {
      if (note !== undefined && tool.approved !== null) notes.set(tool.approved, note);
      // One object: whether it has changed is then clear at once.
      return { ...tool, current: current === asApproved ? tool.approved : current };
    }),
  };
}
